// Questions: all_of, any_of, none_of, find_if, equal, mismatch, is_sorted, is_sorted_until, is_partitioned.
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/functional.h>
#include <thrust/logical.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

struct above {
    int limit;
    __host__ __device__ bool operator()(int a) const { return a > limit; }
};

int main() {
    const int n = 777;
    thrust::device_vector<int> a(n), b(n);
    thrust::sequence(a.begin(), a.end());
    b = a;
    printf("%d %d %d\n", thrust::all_of(a.begin(), a.end(), above{-1}), thrust::any_of(a.begin(), a.end(), above{775}), thrust::none_of(a.begin(), a.end(), above{775}));
    printf("%d", (int)(thrust::find_if(a.begin(), a.end(), above{300}) - a.begin()));
    printf(" %d", (int)(thrust::find_if_not(b.begin(), b.end(), above{-5}) - b.begin()));
    printf(" %d\n", (int)(thrust::find(a.begin(), a.end(), 500) - a.begin()));
    printf("%d", thrust::equal(a.begin(), a.end(), b.begin()));
    b[600] = 5;
    printf(" %d", thrust::equal(a.begin(), a.end(), b.begin()));
    auto where = thrust::mismatch(a.begin(), a.end(), b.begin());
    printf(" %d %d %d\n", (int)(where.first - a.begin()), (int)*where.first, (int)*where.second);
    printf("%d %d %d\n", thrust::is_sorted(a.begin(), a.end()), thrust::is_sorted(b.begin(), b.end()), (int)(thrust::is_sorted_until(b.begin(), b.end()) - b.begin()));
    printf("%d %d\n", thrust::is_partitioned(a.begin(), a.end(), above{400}), (int)(thrust::max_element(b.begin(), b.end()) - b.begin()));
    auto point = thrust::partition_point(b.begin(), b.begin() + 500, [] __host__ __device__(int x) { return x < 123; });
    printf("%d\n", (int)(point - b.begin()));
}
