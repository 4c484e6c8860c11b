// What a shuffle gives that reads from a lane which has returned, never existed, or is elsewhere.
#include <cstdio>
__global__ void returned(int* out) {
    int lane = threadIdx.x, x = 1000 + lane;
    if (lane >= 16) return;
    out[lane] = __shfl_sync(0xffff, x, lane + 16);
    out[32 + lane] = __shfl_down_sync(0xffff, x, 16);
    out[64 + lane] = __shfl_xor_sync(0xffff, x, 16);
    out[96 + lane] = __shfl_sync(0xffffffff, x, lane + 16);
    out[128 + lane] = __shfl_up_sync(0xffff, x, 1);
}
__global__ void loop(int* out) {
    int lane = threadIdx.x, sum = lane;
    for (int i = 0; i < 3; ++i) {
        if (lane > 20 && i == 1) return;
        sum += __shfl_down_sync(0xffffffff, sum, 8);
        out[i * 32 + lane] = sum;
    }
}
__global__ void diverged(int* out) { // the lanes are there, but elsewhere
    int lane = threadIdx.x, x = 1000 + lane;
    if (lane < 16) out[lane] = __shfl_sync(0xffff, x, lane + 16);
    else out[lane] = __shfl_sync(0xffff0000, x + 1, lane - 16);
}
__global__ void partial(int* out) { // a block of 20 threads: lanes 20..31 never existed
    int lane = threadIdx.x, x = 1000 + lane;
    out[lane] = __shfl_down_sync(0xffffffff, x, 8);
    double d = 0.5 + lane;
    out[32 + lane] = (int)(2 * __shfl_down_sync(0xffffffff, d, 8));
}
static void show(const char* name, int* out, int n) {
    cudaError_t e = cudaDeviceSynchronize();
    printf("%s: %s\n", name, cudaGetErrorName(e));
    for (int i = 0; i < n; ++i) printf("%d%s", out[i], i % 16 == 15 ? "\n" : " ");
    for (int i = 0; i < n; ++i) out[i] = -1;
}
int main() {
    int* out; cudaMallocManaged(&out, 256 * sizeof(int));
    for (int i = 0; i < 256; ++i) out[i] = -1;
    returned<<<1, 32>>>(out); show("returned", out, 160);
    loop<<<1, 32>>>(out); show("loop", out, 96);
    diverged<<<1, 32>>>(out); show("diverged", out, 32);
    partial<<<1, 20>>>(out); show("partial", out, 64);
    return 0;
}
