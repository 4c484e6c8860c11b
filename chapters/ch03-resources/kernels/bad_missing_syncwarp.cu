//! The lanes of one warp pass their numbers to their neighbours through shared memory, without a `__syncwarp()`
//! between the stores and the loads, because "they run in lockstep anyway".
//@ input  data: int[n] = lcg256
//@ output out: int[n] = poison
//@ launch rotate(data, out) grid = n / 32, block = 32
//@ test 32, 320
//@ page 320
//@ catch race

extern "C" __global__ void rotate(const int* data, int* out) {
    __shared__ int tile[32];
    unsigned int t = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + t;
    tile[t] = data[i];
    out[i] = tile[(t + 1) % 32];  //~ race
}

__host__ __device__ int expected(const int* data, unsigned int i) {
    return data[i / 32 * 32 + (i + 1) % 32];
}
