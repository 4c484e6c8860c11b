// Programs with CUB. Each compares with a loop of its own, and returns how often it was wrong.

//# a_block_reduces
#include <cub/cub.cuh>
template <int B> __global__ void sums(const int* in, int* out, int valid) {
    typedef cub::BlockReduce<int, B> Reduce;
    __shared__ typename Reduce::TempStorage temp;
    int v = in[blockIdx.x * B + threadIdx.x];
    int sum = Reduce(temp).Sum(v);
    __syncthreads();
    int most = Reduce(temp).Reduce(v, [](int a, int b) { return a > b ? a : b; });
    __syncthreads();
    int part = Reduce(temp).Sum(v, valid);
    if (threadIdx.x == 0) {
        out[3 * blockIdx.x] = sum;
        out[3 * blockIdx.x + 1] = most;
        out[3 * blockIdx.x + 2] = part;
    }
}
template <int B> int test() {
    const int n = 4 * B;
    int *in, *out, wrong = 0;
    cudaMallocManaged(&in, n * 4);
    cudaMallocManaged(&out, 48);
    for (int i = 0; i < n; i++) in[i] = (i * 37) % 101 - 50;
    sums<B><<<4, B>>>(in, out, B / 2 + 3);
    cudaDeviceSynchronize();
    for (int b = 0; b < 4; b++) {
        int sum = 0, most = -1000, part = 0;
        for (int i = 0; i < B; i++) {
            int v = in[b * B + i];
            sum += v;
            if (v > most) most = v;
            if (i < B / 2 + 3) part += v;
        }
        wrong += out[3 * b] != sum || out[3 * b + 1] != most || out[3 * b + 2] != part;
    }
    return wrong;
}
int main() { return test<32>() + test<64>() + test<100>() + test<256>() + test<512>(); }

//# a_block_scans
#include <cub/block/block_scan.cuh>
template <int B> __global__ void scan(const int* in, int* before, int* with, int* all) {
    typedef cub::BlockScan<int, B> Scan;
    __shared__ typename Scan::TempStorage temp;
    int v = in[threadIdx.x], x, y, total;
    Scan(temp).ExclusiveSum(v, x, total);
    __syncthreads();
    Scan(temp).InclusiveSum(v, y);
    before[threadIdx.x] = x;
    with[threadIdx.x] = y;
    if (threadIdx.x == 0) *all = total;
}
template <int B> int test() {
    int *in, *x, *y, *all, wrong = 0, sum = 0;
    cudaMallocManaged(&in, B * 4);
    cudaMallocManaged(&x, B * 4);
    cudaMallocManaged(&y, B * 4);
    cudaMallocManaged(&all, 4);
    for (int i = 0; i < B; i++) in[i] = i % 7 - 2;
    scan<B><<<1, B>>>(in, x, y, all);
    cudaDeviceSynchronize();
    for (int i = 0; i < B; i++) {
        wrong += x[i] != sum;
        sum += in[i];
        wrong += y[i] != sum;
    }
    return wrong + (*all != sum);
}
int main() { return test<32>() + test<100>() + test<256>(); }

//# a_block_scans_several_items_per_thread
#include <cub/block/block_scan.cuh>
__global__ void scan(int* a) {
    typedef cub::BlockScan<int, 64> Scan;
    __shared__ Scan::TempStorage temp;
    int items[4];
    for (int i = 0; i < 4; i++) items[i] = a[4 * threadIdx.x + i];
    Scan(temp).ExclusiveSum(items, items);
    for (int i = 0; i < 4; i++) a[4 * threadIdx.x + i] = items[i];
}
int main() {
    int *a, wrong = 0;
    cudaMallocManaged(&a, 1024);
    for (int i = 0; i < 256; i++) a[i] = i;
    scan<<<1, 64>>>(a);
    cudaDeviceSynchronize();
    for (int i = 0; i < 256; i++) wrong += a[i] != i * (i - 1) / 2;
    return wrong;
}

//# a_warp_reduces_and_scans
#include <cub/cub.cuh>
__global__ void warps(const double* in, double* sums, int* places) {
    typedef cub::WarpReduce<double> Reduce;
    typedef cub::WarpScan<int> Scan;
    __shared__ Reduce::TempStorage temp[4];
    __shared__ Scan::TempStorage scan[4];
    int warp = threadIdx.x / 32, place;
    double sum = Reduce(temp[warp]).Sum(in[threadIdx.x]);
    Scan(scan[warp]).ExclusiveSum(1, place);
    places[threadIdx.x] = place;
    if (threadIdx.x % 32 == 0) sums[warp] = sum;
}
int main() {
    double *in, *sums;
    int *places, wrong = 0;
    cudaMallocManaged(&in, 1024);
    cudaMallocManaged(&sums, 32);
    cudaMallocManaged(&places, 512);
    for (int i = 0; i < 128; i++) in[i] = i * 0.5;
    warps<<<1, 128>>>(in, sums, places);
    cudaDeviceSynchronize();
    for (int i = 0; i < 128; i++) wrong += places[i] != i % 32;
    for (int w = 0; w < 4; w++) wrong += sums[w] != 0.5 * (32 * 32 * w + 31 * 16);
    return wrong;
}

//# the_device_reduces
#include <cub/device/device_reduce.cuh>
int main() {
    int wrong = 0;
    for (int n : {1, 100, 5000}) {
        int *in, *out, sum = 0, least = 1000000, most = -1000000;
        cudaMallocManaged(&in, n * 4);
        cudaMallocManaged(&out, 12);
        for (int i = 0; i < n; i++) {
            in[i] = (i * 7919) % 1009 - 500;
            sum += in[i];
            if (in[i] < least) least = in[i];
            if (in[i] > most) most = in[i];
        }
        void* temp = nullptr;
        size_t bytes = 0, more = 0;
        cub::DeviceReduce::Sum(temp, bytes, in, out, n);
        cub::DeviceReduce::Min(temp, more, in, out, n);
        if (more > bytes) bytes = more;
        cudaMalloc(&temp, bytes);
        cub::DeviceReduce::Sum(temp, bytes, in, out, n);
        cub::DeviceReduce::Min(temp, bytes, in, out + 1, n);
        cub::DeviceReduce::Max(temp, bytes, in, out + 2, n);
        cudaDeviceSynchronize();
        wrong += out[0] != sum || out[1] != least || out[2] != most;
    }
    return wrong;
}

//# the_device_scans
#include <cub/device/device_scan.cuh>
int main() {
    const int n = 6000;
    int *in, *out, *with, wrong = 0, sum = 0;
    cudaMallocManaged(&in, n * 4);
    cudaMallocManaged(&out, n * 4);
    cudaMallocManaged(&with, n * 4);
    for (int i = 0; i < n; i++) in[i] = i % 11 - 3;
    void* temp = nullptr;
    size_t bytes = 0;
    cub::DeviceScan::ExclusiveSum(temp, bytes, in, out, n);
    cudaMalloc(&temp, bytes);
    cub::DeviceScan::ExclusiveSum(temp, bytes, in, out, n);
    cub::DeviceScan::InclusiveSum(temp, bytes, in, with, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) {
        wrong += out[i] != sum;
        sum += in[i];
        wrong += with[i] != sum;
    }
    return wrong;
}

//# the_device_sorts_by_radix
#include <cub/device/device_radix_sort.cuh>
template <typename K> int test() {
    const int n = 1500;
    K *in, *out;
    int *values, *moved, wrong = 0;
    cudaMallocManaged(&in, n * sizeof(K));
    cudaMallocManaged(&out, n * sizeof(K));
    cudaMallocManaged(&values, n * 4);
    cudaMallocManaged(&moved, n * 4);
    for (int i = 0; i < n; i++) {
        in[i] = (K)((i * 7919) % 1009) - (K)500;
        values[i] = i;
    }
    void* temp = nullptr;
    size_t bytes = 0, more = 0;
    cub::DeviceRadixSort::SortPairs(temp, bytes, in, out, values, moved, n);
    cub::DeviceRadixSort::SortKeysDescending(temp, more, in, out, n);
    cudaMalloc(&temp, bytes > more ? bytes : more);
    cub::DeviceRadixSort::SortPairs(temp, bytes, in, out, values, moved, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) {
        wrong += in[moved[i]] != out[i];
        wrong += i > 0 && (out[i] < out[i - 1] || (out[i] == out[i - 1] && moved[i] < moved[i - 1]));
    }
    cub::DeviceRadixSort::SortKeysDescending(temp, more, in, out, n);
    cudaDeviceSynchronize();
    for (int i = 1; i < n; i++) wrong += out[i] > out[i - 1];
    return wrong;
}
int main() { return test<int>() + test<unsigned int>() + test<float>() + test<double>() + test<long long>(); }

//# the_device_sorts_some_bits
#include <cub/device/device_radix_sort.cuh>
int main() {
    const int n = 400;
    unsigned int *in, *out, wrong = 0;
    cudaMallocManaged(&in, n * 4);
    cudaMallocManaged(&out, n * 4);
    for (int i = 0; i < n; i++) in[i] = (i * 2654435761u);
    void* temp = nullptr;
    size_t bytes = 0;
    cub::DeviceRadixSort::SortKeys(temp, bytes, in, out, n, 4, 12);
    cudaMalloc(&temp, bytes);
    cub::DeviceRadixSort::SortKeys(temp, bytes, in, out, n, 4, 12);
    cudaDeviceSynchronize();
    for (int i = 1; i < n; i++) wrong += (out[i] >> 4 & 255) < (out[i - 1] >> 4 & 255);
    return wrong;
}

//# the_device_selects
#include <cub/device/device_select.cuh>
struct even { __host__ __device__ bool operator()(int a) const { return a % 2 == 0; } };
int main() {
    const int n = 1000;
    int *in, *out, *count, wrong = 0, at = 0;
    cudaMallocManaged(&in, n * 4);
    cudaMallocManaged(&out, n * 4);
    cudaMallocManaged(&count, 4);
    for (int i = 0; i < n; i++) in[i] = i / 2 * 3;
    void* temp = nullptr;
    size_t bytes = 0, more = 0;
    cub::DeviceSelect::If(temp, bytes, in, out, count, n, even());
    cub::DeviceSelect::Unique(temp, more, in, out, count, n);
    cudaMalloc(&temp, bytes > more ? bytes : more);
    cub::DeviceSelect::If(temp, bytes, in, out, count, n, even());
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        if (in[i] % 2 == 0) wrong += out[at++] != in[i];
    wrong += *count != at;
    cub::DeviceSelect::Unique(temp, more, in, out, count, n);
    cudaDeviceSynchronize();
    wrong += *count != n / 2;
    for (int i = 0; i < n / 2; i++) wrong += out[i] != 3 * i;
    return wrong;
}

//# operators_of_the_device_only
#include <bits/stdc++.h>
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
struct Largest {
    template <typename T> __device__ T operator()(const T& a, const T& b) const { return abs(a) > abs(b) ? abs(a) : abs(b); }
};
int main() {
    const int n = 5000;
    std::vector<float> host(n);
    float largest = 0;
    for (int i = 0; i < n; ++i) {
        host[i] = (float)((i * 7919) % 4001 - 2500);
        largest = std::max(largest, std::fabs(host[i]));
    }
    thrust::device_vector<float> values = host, out(1);
    size_t bytes = 0;
    float* in = thrust::raw_pointer_cast(values.data());
    float* result = thrust::raw_pointer_cast(out.data());
    cub::DeviceReduce::Reduce(nullptr, bytes, in, result, n, Largest(), 0.0f);
    void* room;
    cudaMalloc(&room, bytes);
    cub::DeviceReduce::Reduce(room, bytes, in, result, n, Largest(), 0.0f);
    const float reduced = thrust::reduce(values.begin(), values.end(), 0.0f, Largest());
    return out[0] == largest && reduced == largest ? 0 : 1;
}
//# headers of C++ behind those of CUB
#include <cub/cub.cuh>
#include <chrono>
#include <future>
#include <list>
#include <thread>
int main() {
    std::list<int> l(3, 1);
    return l.size() != 3;
}

//# sixteen_bit_floats_without_their_headers
#include <cub/cub.cuh>
template <typename T> struct Wide { using type = T; };
template <> struct Wide<nv_bfloat16> { using type = float; };
template <> struct Wide<__half> { using type = float; };
int main() { return sizeof(Wide<nv_bfloat16>::type) + sizeof(Wide<__half>::type) != 8; }

//# traits_of_types
#include <cub/cub.cuh>
static_assert(cub::PowerOfTwo<4>::VALUE && !cub::PowerOfTwo<6>::VALUE, "");
static_assert(cub::Log2<8>::VALUE == 3 && cub::Log2<9>::VALUE == 4, "");
static_assert(cub::Traits<unsigned>::MAX_KEY == 0xffffffffu && cub::Traits<const int>::MAX_KEY == 0x7fffffffu, "");
static_assert(cub::Traits<float>::LOWEST_KEY == 0xffffffffu && cub::Traits<double>::MAX_KEY == 0x7fffffffffffffffull, "");
__global__ void limits(unsigned* out) {
    out[0] = cub::Traits<unsigned>::MAX_KEY;
    out[1] = cub::Traits<float>::TwiddleIn(__float_as_uint(-1.5f));
    out[2] = cub::Traits<float>::TwiddleOut(out[1]);
    out[3] = cub::Traits<int>::TwiddleIn(5u);
}
int main() {
    unsigned *out;
    cudaMallocManaged(&out, 16);
    limits<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    return (out[0] != 0xffffffffu) + (out[1] != ~0xbfc00000u) + (out[2] != 0xbfc00000u) + (out[3] != 0x80000005u)
        + (cub::Traits<int>::Lowest() != -2147483647 - 1) + (cub::Traits<unsigned char>::Max() != 255);
}
