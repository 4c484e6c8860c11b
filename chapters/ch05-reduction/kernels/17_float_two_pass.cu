//! The same sum in two passes. Each block stores its sum in an element of its own; then one block adds
//! those, always in the same order. So the bits are the same in each run.
//!
//! Look at: the time, compared with the file before. Both files have two launches: there the first one
//! clears the total, here the second one is a single block that adds the sums of all others.
//@ input  data: float[n] = frac
//@ output out: float[1] = poison
//@ scratch sums: float[(n + 8191) / 8192] = poison
//@ let blocks = (n + 8191) / 8192
//@ launch reduce(data, sums, n) grid = blocks, block = 512
//@ launch finish(sums, out, blocks) grid = 1, block = 512
//@ test 1, 31, 32, 33, 511, 512, 513, 1021, 8191, 8192, 8193, 100003
//@ page 2^18
//@ measure 2^24, 2^28
//@ bytes 4 * n
//@ fold add
//@ tolerance abs 1

/// The sum over a warp's lanes, in lane 0.
__device__ float warp_sum(float sum) {
#pragma unroll
    for (unsigned int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    return sum;
}

/// The sum over a block's threads, in thread 0.
__device__ float block_sum(float sum) {
    __shared__ float warps[16];  // one sum for each warp of the block
    unsigned int t = threadIdx.x;
    sum = warp_sum(sum);
    if (t % 32 == 0)
        warps[t / 32] = sum;
    __syncthreads();
    return t < 32 ? warp_sum(t < 16 ? warps[t] : 0.0f) : 0.0f;
}

extern "C" __global__ void reduce(const float* data, float* sums, unsigned int n) {
    unsigned int t = threadIdx.x;
    unsigned int start = blockIdx.x * blockDim.x * 16;

    float sum = 0;
#pragma unroll
    for (unsigned int k = 0; k < 16; k++) {
        unsigned int i = start + t + k * blockDim.x;
        sum += i < n ? data[i] : 0.0f;
    }

    sum = block_sum(sum);
    if (t == 0)
        sums[blockIdx.x] = sum;
}

extern "C" __global__ void finish(
    const float* sums, float* out, unsigned int blocks) {
    float sum = 0;
    for (unsigned int i = threadIdx.x; i < blocks; i += blockDim.x)
        sum += sums[i];

    sum = block_sum(sum);
    if (threadIdx.x == 0)
        out[0] = sum;
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
