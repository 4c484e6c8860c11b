// zip_iterator: several arrays go through an algorithm together.
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

struct arbitrary {
    template <typename T> __host__ __device__ void operator()(T t) {
        // D = A + B * C
        thrust::get<3>(t) = thrust::get<0>(t) + thrust::get<1>(t) * thrust::get<2>(t);
    }
};
typedef thrust::tuple<int, int, int> Int3;
struct dot {
    __host__ __device__ int operator()(const Int3& a, const Int3& b) const {
        return thrust::get<0>(a) * thrust::get<0>(b) + thrust::get<1>(a) * thrust::get<1>(b) + thrust::get<2>(a) * thrust::get<2>(b);
    }
};
struct manhattan {
    template <typename T> __host__ __device__ int operator()(const T& t) const { return abs(thrust::get<0>(t)) + abs(thrust::get<1>(t)); }
};

int main() {
    const int n = 1000;
    thrust::device_vector<int> a(n), b(n), c(n), d(n), e(n);
    thrust::sequence(a.begin(), a.end());
    thrust::sequence(b.begin(), b.end(), 5, -3);
    thrust::sequence(c.begin(), c.end(), -n / 2);
    thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin(), c.begin(), d.begin())),
                     thrust::make_zip_iterator(thrust::make_tuple(a.end(), b.end(), c.end(), d.end())), arbitrary());
    printf("%d %d %d .. %d\n", (int)d[0], (int)d[1], (int)d[2], (int)d[n - 1]);
    auto first = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin(), c.begin()));
    auto other = thrust::make_zip_iterator(thrust::make_tuple(c.begin(), a.begin(), b.begin()));
    thrust::transform(first, first + n, other, e.begin(), dot());
    printf("%d %d %d .. %d\n", (int)e[0], (int)e[1], (int)e[2], (int)e[n - 1]);
    auto pairs = thrust::make_zip_iterator(thrust::make_tuple(b.begin(), c.begin()));
    printf("%d\n", thrust::transform_reduce(pairs, pairs + n, manhattan(), 0, thrust::plus<int>()));
    Int3 third = first[2];
    printf("%d %d %d\n", thrust::get<0>(third), thrust::get<1>(third), thrust::get<2>(third));
}
