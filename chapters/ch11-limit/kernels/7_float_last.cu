//! The same order in one launch. Each block stores its sum in its own element, fences, and increments the count; the
//! block that completes the count fences, too, and then adds all elements in their order. It does not matter which
//! block that is. `atomicInc` resets the count to zero by itself.
//!
//! Look at: the time; and at the two fences, which the file after this one forgets.
//@ let tiles = (n + 16383) / 16384
//@ let blocks = min(tiles, max(264, (tiles + 3) / 4))
//@ input   data: float[n] = frac
//@ output  out: float[1] = poison
//@ scratch sums: float[blocks] = poison
//@ launch reduce(data, sums, out, n) grid = blocks, block = 512
//@ test 1, 31, 32, 33, 511, 512, 513, 1021, 16383, 16384, 16385, 65536, 100003
//@ page 2^18
//@ measure 2^24, 2^26, 2^28, 2^30
//@ bytes 4 * n
//@ fold add
//@ tolerance abs 1

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
        sums[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();

    sum = 0;
    for (unsigned int i = t; i < gridDim.x; i += 512)
        sum += sums[i];

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
