// BlockMergeSort, WarpMergeSort and BlockShuffle.
#include <cstdio>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/warp/warp_merge_sort.cuh>

struct Greater {
    __device__ bool operator()(int a, int b) const { return a > b; }
};

__global__ void sort(const int* in, int* out, int* warps, int* moved) {
    typedef cub::BlockMergeSort<int, 64, 4> Sort;
    typedef cub::WarpMergeSort<int, 4, 32> Warp;
    typedef cub::BlockShuffle<int, 64> Shuffle;
    __shared__ Sort::TempStorage temp;
    __shared__ Warp::TempStorage warp[2];
    __shared__ Shuffle::TempStorage shuffle;
    int items[4];
    for (int i = 0; i < 4; i++) items[i] = in[threadIdx.x * 4 + i];
    Sort(temp).Sort(items, Greater());
    for (int i = 0; i < 4; i++) out[threadIdx.x * 4 + i] = items[i];
    for (int i = 0; i < 4; i++) items[i] = in[threadIdx.x * 4 + i];
    Warp(warp[threadIdx.x / 32]).Sort(items, Greater());
    for (int i = 0; i < 4; i++) warps[threadIdx.x * 4 + i] = items[i];
    int left = -1, turned = -1;
    Shuffle(shuffle).Offset((int)threadIdx.x * 10, left, -1);
    __syncthreads();
    Shuffle(shuffle).Rotate((int)threadIdx.x * 10, turned, 5);
    moved[threadIdx.x] = left;
    moved[64 + threadIdx.x] = turned;
}

int main() {
    const int n = 256;
    int *in, *out, *warps, *moved;
    cudaMallocManaged(&in, n * 4);
    cudaMallocManaged(&out, n * 4);
    cudaMallocManaged(&warps, n * 4);
    cudaMallocManaged(&moved, 128 * 4);
    for (int i = 0; i < n; i++) in[i] = i * 7919 % 1009;
    sort<<<1, 64>>>(in, out, warps, moved);
    cudaDeviceSynchronize();
    unsigned a = 0, b = 0;
    for (int i = 0; i < n; i++) {
        a = a * 31 + (unsigned)out[i];
        b = b * 31 + (unsigned)warps[i];
    }
    printf("%d %d .. %d %08x\n", out[0], out[1], out[n - 1], a);
    printf("%d .. %d, %d .. %d %08x\n", warps[0], warps[127], warps[128], warps[255], b);
    printf("%d %d %d, %d %d %d\n", moved[0], moved[1], moved[63], moved[64], moved[64 + 58], moved[64 + 59]);
}
