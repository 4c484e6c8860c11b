// Scans by key with an order and an operator, and a scan of pairs that is one itself.
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/scan.h>
#include <thrust/transform_scan.h>
#include <thrust/tuple.h>

struct same_ten {
    __host__ __device__ bool operator()(int a, int b) const { return a / 10 == b / 10; }
};
typedef thrust::tuple<int, int> Flagged;
struct segmented {
    __host__ __device__ Flagged operator()(const Flagged& a, const Flagged& b) const {
        return Flagged(thrust::get<0>(a) | thrust::get<0>(b), thrust::get<0>(b) ? thrust::get<1>(b) : thrust::get<1>(a) + thrust::get<1>(b));
    }
};
struct twice {
    __host__ __device__ int operator()(int a) const { return 2 * a; }
};

int main() {
    const int n = 64;
    thrust::host_vector<int> k(n), v(n), f(n);
    for (int i = 0; i < n; i++) {
        k[i] = i * 3 / 2;
        v[i] = i % 7 - 1;
        f[i] = i % 9 == 0;
    }
    thrust::device_vector<int> keys = k, values = v, flags = f, out(n), flags_out(n);
    thrust::inclusive_scan_by_key(keys.begin(), keys.end(), values.begin(), out.begin(), same_ten(), thrust::maximum<int>());
    for (int i = 0; i < n; i += 9) printf("%d ", (int)out[i]);
    thrust::exclusive_scan_by_key(keys.begin(), keys.end(), values.begin(), out.begin(), 3, same_ten());
    for (int i = 0; i < n; i += 9) printf("%d ", (int)out[i]);
    printf("\n");
    auto in = thrust::make_zip_iterator(thrust::make_tuple(flags.begin(), values.begin()));
    auto to = thrust::make_zip_iterator(thrust::make_tuple(flags_out.begin(), out.begin()));
    thrust::inclusive_scan(in, in + n, to, segmented());
    for (int i = 0; i < n; i += 5) printf("%d ", (int)out[i]);
    thrust::transform_inclusive_scan(values.begin(), values.end(), out.begin(), twice(), thrust::plus<int>());
    printf("| %d %d", (int)out[10], (int)out[n - 1]);
    thrust::transform_exclusive_scan(values.begin(), values.end(), out.begin(), twice(), 5, thrust::plus<int>());
    printf(" %d %d\n", (int)out[0], (int)out[n - 1]);
}
