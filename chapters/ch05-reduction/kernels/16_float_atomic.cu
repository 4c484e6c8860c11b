//! A sum of floats in one pass: each block adds its sum to one word with `atomicAdd`. The order of the blocks differs
//! from run to run, and float addition is not associative.
//!
//! A single run does not show it. See the experiment on the page.
//@ input  data: float[n] = frac
//@ output out: float[1] = poison
//@ launch begin(out) grid = 1, block = 1
//@ launch reduce(data, out, n) grid = (n + 8191) / 8192, block = 512
//@ test 1, 31, 32, 33, 511, 512, 513, 1021, 8191, 8192, 8193, 100003
//@ page 2^18
//@ measure 2^24, 2^28
//@ bytes 4 * n
//@ fold add
//@ tolerance abs 1
//@ unordered: the blocks add floats in the order in which they come (2026-11-21)

/// The sum over a warp's lanes, in lane 0.
__device__ float warp_sum(float sum) {
#pragma unroll
    for (unsigned int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    return sum;
}

extern "C" __global__ void begin(float* out) {
    out[0] = 0;
}

extern "C" __global__ void reduce(const float* data, float* out, unsigned int n) {
    __shared__ float warps[16];  // one sum for each warp of the block
    unsigned int t = threadIdx.x;
    unsigned int start = blockIdx.x * blockDim.x * 16;

    float sum = 0;
#pragma unroll
    for (unsigned int k = 0; k < 16; k++) {
        unsigned int i = start + t + k * blockDim.x;
        sum += i < n ? data[i] : 0.0f;
    }

    sum = warp_sum(sum);
    if (t % 32 == 0)
        warps[t / 32] = sum;
    __syncthreads();

    if (t < 32) {
        sum = warp_sum(t < 16 ? warps[t] : 0.0f);
        if (t == 0)
            atomicAdd(out, sum);
    }
}

/// A part of the whole sum: the parts take the numbers in turn.
__host__ __device__ float expected_part(
    const float* data, unsigned int n, unsigned int i, unsigned int part,
    unsigned int parts) {
    double sum = 0;
    for (unsigned int k = part; k < n; k += parts)
        sum += data[k];
    return (float)sum;
}
