//! The minimum of all numbers, in one word. There is an atomic for it, and each block executes one.
//!
//! Look at: *global reductions* (atomics whose result nobody uses), one for each block; and the time.
//@ input  data: int[n] = lcg256
//@ output out: int[1] = poison
//@ launch begin(out) grid = 1, block = 1
//@ launch reduce(data, out, n) grid = (n + 8191) / 8192, block = 512
//@ test 1, 31, 32, 33, 511, 512, 513, 1021, 8191, 8192, 8193, 100003
//@ page 2^18
//@ measure 2^24, 2^28
//@ bytes 4 * n
//@ fold min
//@ differs fewer shared_load_wavefronts, shared_load_conflicts: the compiler reads four neighbours of 4 bytes by one access of 16 (2026-11-21)
//@ equivalent `<=` for `<` in `for (unsigned int k = 0; k < 16; k++) {`: the next block's elements come into this block's minimum as well, and the minimum of all is the same

/// An odd number of each: 2 x - 255.
__host__ __device__ int odd(int x) {
    return 2 * x - 255;
}

/// How two values become one.
__host__ __device__ int both(int a, int b) {
    return min(a, b);
}

extern "C" __global__ void begin(int* out) {
    out[0] = 0x7fffffff;
}

extern "C" __global__ void reduce(const int* data, int* out, unsigned int n) {
    __shared__ int warps[16];  // one value for each warp of the block
    unsigned int t = threadIdx.x;
    unsigned int start = blockIdx.x * blockDim.x * 16;

    int value = 0x7fffffff;
#pragma unroll
    for (unsigned int k = 0; k < 16; k++) {
        unsigned int i = start + t + k * blockDim.x;
        value = both(value, i < n ? odd(data[i]) : 0x7fffffff);
    }

#pragma unroll
    for (unsigned int distance = 16; distance > 0; distance /= 2)
        value = both(value, __shfl_down_sync(0xffffffff, value, distance));
    if (t % 32 == 0)
        warps[t / 32] = value;
    __syncthreads();

    if (t == 0) {
        for (unsigned int warp = 1; warp < 16; warp++)
            value = both(value, warps[warp]);
        atomicMin(out, value);
    }
}

/// A part of the whole: the parts take the numbers in turn.
__host__ __device__ int expected_part(
    const int* data, unsigned int n, unsigned int i, unsigned int part,
    unsigned int parts) {
    int value = 0x7fffffff;
    for (unsigned int k = part; k < n; k += parts)
        value = both(value, odd(data[k]));
    return value;
}
