// WarpReduce by segments and by groups of 8 lanes, WarpScan with aggregates.
#include <cstdio>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

struct Max {
    __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

__global__ void warps(const int* in, int* out) {
    typedef cub::WarpReduce<int> Reduce;
    typedef cub::WarpReduce<int, 8> Eight;
    typedef cub::WarpScan<int> Scan;
    __shared__ Reduce::TempStorage reduce[2];
    __shared__ Eight::TempStorage eight[8];
    __shared__ Scan::TempStorage scan[2];
    int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
    int v = in[thread];
    int head = Reduce(reduce[warp]).HeadSegmentedSum(v, lane % 5 == 0);
    __syncwarp();
    int tail = Reduce(reduce[warp]).TailSegmentedSum(v, lane % 7 == 6);
    __syncwarp();
    int most = Reduce(reduce[warp]).Reduce(v, Max());
    int group = Eight(eight[thread / 8]).Sum(v);
    int with, before, all;
    Scan(scan[warp]).InclusiveSum(v, with, all);
    __syncwarp();
    Scan(scan[warp]).ExclusiveScan(v, before, -100, Max());
    __syncwarp();
    int both_with, both_before;
    Scan(scan[warp]).Scan(v, both_with, both_before, Max());
    int third = Scan(scan[warp]).Broadcast(v, 3);
    if (lane % 5 == 0) out[thread] = head;
    if (lane == 0 || lane % 7 == 0) out[64 + thread] = tail;
    if (lane == 0) out[128 + warp] = most;
    if (lane % 8 == 0) out[130 + thread / 8] = group;
    out[200 + thread] = with;
    out[264 + thread] = before;
    out[328 + thread] = both_with + third;
    if (lane == 31) out[140 + warp] = all;
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 64 * 4);
    cudaMallocManaged(&out, 400 * 4);
    for (int i = 0; i < 64; i++) in[i] = i * 13 % 29 - 9;
    for (int i = 0; i < 400; i++) out[i] = 0;
    warps<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    unsigned hash = 0;
    for (int i = 0; i < 400; i++) hash = hash * 31 + (unsigned)out[i];
    printf("heads %d %d %d, tails %d %d %d\n", out[0], out[5], out[10], out[64], out[71], out[78]);
    printf("max %d %d, groups %d %d, sums %d %d\n", out[128], out[129], out[130], out[137], out[140], out[141]);
    printf("hash %08x\n", hash);
}
