// Placeholders make functors of expressions.
#include <cstdio>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/partition.h>
#include <thrust/remove.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

int main() {
    using namespace thrust::placeholders;
    const int n = 100;
    thrust::device_vector<float> x(n), y(n, 2.0f);
    thrust::sequence(x.begin(), x.end());
    const float a = 0.5f;
    thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), a * _1 + _2);
    printf("%g %g %g\n", (float)y[0], (float)y[1], (float)y[n - 1]);
    thrust::device_vector<int> v(n);
    thrust::sequence(v.begin(), v.end(), 1);
    printf("%d\n", (int)thrust::count_if(v.begin(), v.end(), _1 % 3 == 0));
    printf("%d\n", thrust::transform_reduce(v.begin(), v.end(), _1 * _1, 0, thrust::plus<int>()));
    thrust::transform(v.begin(), v.end(), v.begin(), -_1 + 50);
    v.erase(thrust::remove_if(v.begin(), v.end(), _1 < 0 || _1 > 40), v.end());
    printf("%d left, %d .. %d\n", (int)v.size(), (int)v.front(), (int)v.back());
}
