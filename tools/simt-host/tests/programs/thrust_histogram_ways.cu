// A dense histogram by upper_bound, and a sparse one by reduce_by_key.
#include <cstdio>
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/random.h>
#include <thrust/sort.h>

int main() {
    const int n = 400;
    thrust::default_random_engine rng;
    thrust::uniform_int_distribution<int> dist(0, 9);
    thrust::host_vector<int> h(n);
    for (int i = 0; i < n; i++) h[i] = (dist(rng) + dist(rng)) / 2;
    thrust::device_vector<int> data = h;
    thrust::sort(data.begin(), data.end());
    const int bins = data.back() + 1;
    thrust::device_vector<int> dense(bins);
    thrust::counting_iterator<int> first(0);
    thrust::upper_bound(data.begin(), data.end(), first, first + bins, dense.begin());
    thrust::adjacent_difference(dense.begin(), dense.end(), dense.begin());
    for (int i = 0; i < bins; i++) printf("%d ", (int)dense[i]);
    const int different = thrust::inner_product(data.begin(), data.end() - 1, data.begin() + 1, 1, thrust::plus<int>(), thrust::not_equal_to<int>());
    thrust::device_vector<int> values(different), counts(different);
    thrust::reduce_by_key(data.begin(), data.end(), thrust::constant_iterator<int>(1), values.begin(), counts.begin());
    printf("| %d:", different);
    for (int i = 0; i < different; i++) printf(" %d=%d", (int)values[i], (int)counts[i]);
    printf("\n");
}
