//! The last block adds the sums of the others, without a fence. The count says that a block has reached this
//! point. It does not say that its sum is visible: the store and the atomic go to two addresses, and nothing
//! orders them.
//!
//! On a GPU the result can be right all the same: then every sum arrived before the last block read it.
//@ let tiles = (n + 16383) / 16384
//@ let blocks = min(tiles, max(264, (tiles + 3) / 4))
//@ input   data: float[n] = frac
//@ output  out: float[1] = poison
//@ scratch sums: float[blocks] = poison
//@ launch reduce(data, sums, out, n) grid = blocks, block = 512
//@ test 65536
//@ page 65536
//@ bytes 4 * n
//@ fold add
//@ tolerance abs 1
//@ catch race

/// Blocks that have left their sums.
__device__ unsigned int done = 0;

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

extern "C" __global__ void __launch_bounds__(512, 2)
reduce(const float* data, float* sums, float* out, unsigned int n) {
    unsigned int t = threadIdx.x;
    unsigned int tiles = n / 16384;  // whole ones

    float sum = 0;
    for (unsigned int at = blockIdx.x; at < tiles; at += gridDim.x) {
        const float4* tile = reinterpret_cast<const float4*>(data) + at * 4096;
        float4 v[8];
#pragma unroll
        for (unsigned int k = 0; k < 8; k++)
            v[k] = tile[t + k * 512];
#pragma unroll
        for (unsigned int k = 0; k < 8; k++)
            sum += v[k].x + v[k].y + v[k].z + v[k].w;
    }
    unsigned int rest = tiles * 16384;
    for (unsigned int i = rest + blockIdx.x * 512 + t; i < n; i += gridDim.x * 512)
        sum += data[i];

    sum = block_sum(sum);
    __shared__ bool last;
    if (t == 0) {
        sums[blockIdx.x] = sum;  //~ race
        last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return;

    sum = 0;
    for (unsigned int i = t; i < gridDim.x; i += 512)
        sum += sums[i];  //~ race

    sum = block_sum(sum);
    if (t == 0)
        out[0] = sum;
}

/// A part of the whole sum: the parts take the numbers in turn.
__host__ __device__ float expected_part(
    const float* data, unsigned int n, unsigned int i,
    unsigned int part, unsigned int parts) {
    double sum = 0;
    for (unsigned int k = part; k < n; k += parts)
        sum += data[k];
    return (float)sum;
}
