//! Rung 5 with its last warp as it was taught for a decade: no `__syncwarp`, and a pointer to `volatile` so that
//! every sum is really stored in memory and loaded again.
//!
//! `volatile` is a rule for the compiler. It does not say when another lane executes. Up to Pascal the lanes of a
//! warp shared one program counter, so all of them executed an instruction before the next began, and it worked.
//! Since Volta each lane has its own. The lanes usually still execute together, so the result is usually right;
//! nothing guarantees it.
//@ input  data: int[n] = lcg256
//@ output out: int[(n + 4095) / 4096] = poison
//@ launch reduce(data, out, n) grid = (n + 4095) / 4096, block = 512
//@ test 4096, 65536
//@ page 4096
//@ bytes 4 * n
//@ catch race

extern "C" __global__ void reduce(int* data, int* out, unsigned int n) {
    unsigned int t = threadIdx.x;
    unsigned int start = blockIdx.x * blockDim.x * 8;
    unsigned int count = min(blockDim.x * 8, n - start);  // fewer at the end
    int* tile = data + start;

    int sum = 0;
#pragma unroll
    for (unsigned int k = 0; k < 8; k++) {
        unsigned int i = t + k * blockDim.x;
        sum += i < count ? tile[i] : 0;
    }
    if (t < count)
        tile[t] = sum;
    __syncthreads();

    for (unsigned int stride = blockDim.x / 2; stride > 32; stride /= 2) {
        if (t < stride && t + stride < count)
            tile[t] += tile[t + stride];
        __syncthreads();
    }

    if (t < 32) {
        volatile int* last = tile;
        last[t] += last[t + 32];  //~ race
        last[t] += last[t + 16];  //~ race
        last[t] += last[t + 8];   //~ race
        last[t] += last[t + 4];   //~ race
        last[t] += last[t + 2];   //~ race
        last[t] += last[t + 1];   //~ race
    }

    if (t == 0)
        out[blockIdx.x] = tile[0];
}

/// The sum of block i's numbers.
__host__ __device__ int expected(const int* data, unsigned int n, unsigned int i) {
    int sum = 0;
    for (unsigned int k = i * 4096; k < n && k < (i + 1) * 4096; k++)
        sum += data[k];
    return sum;
}
