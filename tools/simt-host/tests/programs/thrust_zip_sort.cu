// Sorts with zip_iterator: tuples by an order of one's own, and several values by one key.
#include <cstdio>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

typedef thrust::tuple<int, float> Pair;
struct by_second {
    __host__ __device__ bool operator()(const Pair& a, const Pair& b) const {
        if (thrust::get<1>(a) != thrust::get<1>(b)) return thrust::get<1>(a) < thrust::get<1>(b);
        return thrust::get<0>(a) > thrust::get<0>(b);
    }
};
struct in_square {
    template <typename T> __host__ __device__ bool operator()(const T& t) const { return thrust::get<0>(t) < 8 && thrust::get<1>(t) < 8; }
};

int main() {
    const int n = 200;
    thrust::host_vector<int> hx(n), hy(n);
    thrust::host_vector<float> hf(n);
    for (int i = 0; i < n; i++) {
        hx[i] = i * 7 % 16;
        hy[i] = i * 11 % 13;
        hf[i] = (float)(i * 5 % 9) / 2;
    }
    thrust::device_vector<int> x = hx, y = hy;
    thrust::device_vector<float> f = hf;
    auto pairs = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), f.begin()));
    thrust::sort(pairs, pairs + n, by_second());
    thrust::host_vector<int> sx = x;
    thrust::host_vector<float> sf = f;
    for (int i = 0; i < n; i += 37) printf("%d:%g ", sx[i], sf[i]);
    printf("\n");
    // Points, in the order of x, then y; then each one once.
    x = hx;
    auto points = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin()));
    thrust::sort(points, points + n);
    auto end = thrust::unique(points, points + n);
    printf("%d different points\n", (int)(end - points));
    for (int i = 0; i < 5; i++) printf("(%d, %d) ", (int)x[i], (int)y[i]);
    printf("\n");
    // A key moves two values.
    thrust::device_vector<int> key = hy, u = hx;
    f = hf;
    thrust::stable_sort_by_key(key.begin(), key.end(), thrust::make_zip_iterator(thrust::make_tuple(u.begin(), f.begin())));
    for (int i = 0; i < n; i += 41) printf("%d:%d:%g ", (int)key[i], (int)u[i], (float)f[i]);
    printf("\n");
    thrust::device_vector<int> kx(n), ky(n);
    x = hx;
    y = hy;
    auto kept = thrust::copy_if(points, points + n, thrust::make_zip_iterator(thrust::make_tuple(kx.begin(), ky.begin())), in_square());
    const int k = kept - thrust::make_zip_iterator(thrust::make_tuple(kx.begin(), ky.begin()));
    printf("%d kept, the last (%d, %d)\n", k, (int)kx[k - 1], (int)ky[k - 1]);
}
