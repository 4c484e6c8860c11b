// The sum of two sparse vectors: append, sort, reduce by key.
#include <cstdio>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

int main() {
    const int ia[] = {2, 3, 8, 11}, ib[] = {1, 2, 5, 8, 40};
    const float va[] = {10, 60, 20, 40}, vb[] = {50, 30, 80, 30, 90};
    thrust::device_vector<int> ai(ia, ia + 4), bi(ib, ib + 5);
    thrust::device_vector<float> av(va, va + 4), bv(vb, vb + 5);
    const size_t all = ai.size() + bi.size();
    thrust::device_vector<int> ti(all);
    thrust::device_vector<float> tv(all);
    thrust::copy(bi.begin(), bi.end(), thrust::copy(ai.begin(), ai.end(), ti.begin()));
    thrust::copy(bv.begin(), bv.end(), thrust::copy(av.begin(), av.end(), tv.begin()));
    thrust::stable_sort_by_key(ti.begin(), ti.end(), tv.begin());
    const size_t n = thrust::inner_product(ti.begin(), ti.end() - 1, ti.begin() + 1, size_t(1), thrust::plus<size_t>(), thrust::not_equal_to<int>());
    thrust::device_vector<int> ci(n);
    thrust::device_vector<float> cv(n);
    thrust::reduce_by_key(ti.begin(), ti.end(), tv.begin(), ci.begin(), cv.begin(), thrust::equal_to<int>(), thrust::plus<float>());
    for (size_t i = 0; i < n; i++) printf("(%d,%g) ", (int)ci[i], (float)cv[i]);
    printf("\n");
}
