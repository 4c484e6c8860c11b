//! How many instructions must be in flight? Each thread computes 2048 multiply-adds, in one chain
//! in which each needs the one before it, or in two or four independent chains. Each block has
//! 48 KiB of shared memory, far more than it needs, so that an H100 or H200 has room for just four
//! blocks per multiprocessor. They have 4 × `block` / 32 warps, and the multiprocessor has four
//! schedulers: `block` / 32 warps for each.
//@ vary block = 32, 64, 128, 256, 512
//@ vary chains = 1, 2, 4
//@ input  start: float[n] = frac
//@ output out: float[n] = poison
//@ launch work(start, out, n, chains) grid = (n + block - 1) / block, block = block, shared = 49152
//@ test 1, 31, 32, 33, 511, 512, 513
//@ page 256
//@ measure 2^20
//@ bytes 8 * n
//@ flops 4096 * n

template <int CHAINS>
__host__ __device__ float run(float start) {
    float x[CHAINS];
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        x[c] = start + c;
#pragma unroll 8
    for (int k = 0; k < 2048 / CHAINS; k++) {
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            x[c] = fmaf(x[c], 0.75f, start);
    }
    float sum = 0.0f;
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        sum += x[c];
    return sum;
}

extern "C" __global__ void work(const float* start, float* out, unsigned int n,
                                unsigned int chains) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    switch (chains) {
        case 1: out[i] = run<1>(start[i]); break;
        case 2: out[i] = run<2>(start[i]); break;
        default: out[i] = run<4>(start[i]); break;
    }
}

__host__ __device__ float expected(
    const float* start, unsigned int chains, unsigned int i) {
    float from = start[i];
    return chains == 1 ? run<1>(from) : chains == 2 ? run<2>(from) : run<4>(from);
}
