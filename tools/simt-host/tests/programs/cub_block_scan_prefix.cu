// BlockScan over tiles with a running prefix, and with other operators.
#include <cstdio>
#include <cub/block/block_scan.cuh>

struct Running {
    int total;
    __device__ Running(int start) : total(start) {}
    __device__ int operator()(int aggregate) {
        int before = total;
        total += aggregate;
        return before;
    }
};
struct Max {
    __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

__global__ void scan(const int* in, int* sums, int* most, int n) {
    typedef cub::BlockScan<int, 128> Scan;
    __shared__ Scan::TempStorage temp;
    Running running(0);
    for (int tile = 0; tile < n; tile += 512) {
        int items[4];
        for (int i = 0; i < 4; i++) items[i] = in[tile + threadIdx.x * 4 + i];
        Scan(temp).ExclusiveSum(items, items, running);
        __syncthreads();
        for (int i = 0; i < 4; i++) sums[tile + threadIdx.x * 4 + i] = items[i];
    }
    int value = in[threadIdx.x], with, before, all;
    Scan(temp).InclusiveScan(value, with, Max());
    __syncthreads();
    Scan(temp).ExclusiveScan(value, before, -1000, Max(), all);
    __syncthreads();
    most[threadIdx.x] = with;
    most[128 + threadIdx.x] = before;
    if (threadIdx.x == 0) most[256] = all;
    int four[4];
    for (int i = 0; i < 4; i++) four[i] = in[threadIdx.x * 4 + i];
    Scan(temp).InclusiveScan(four, four, Max());
    for (int i = 0; i < 4; i++) most[257 + threadIdx.x * 4 + i] = four[i];
}

int main() {
    const int n = 2048;
    int *in, *sums, *most;
    cudaMallocManaged(&in, n * 4);
    cudaMallocManaged(&sums, n * 4);
    cudaMallocManaged(&most, 1000 * 4);
    for (int i = 0; i < n; i++) in[i] = (i * 37) % 101 - 30;
    scan<<<1, 128>>>(in, sums, most, n);
    cudaDeviceSynchronize();
    unsigned a = 0, b = 0;
    for (int i = 0; i < n; i++) a = a * 31 + (unsigned)sums[i];
    for (int i = 0; i < 769; i++) b = b * 31 + (unsigned)most[i];
    printf("%d %d %d .. %d %08x\n", sums[0], sums[1], sums[2], sums[n - 1], a);
    printf("%d %d %d, %d %d, %d %08x\n", most[0], most[1], most[127], most[128], most[129], most[256], b);
}
