//! One kernel for the whole sum, with wide loads. Each thread issues eight loads of an `int4` before
//! it needs the first, and does so four times, so that there are few blocks and each of them reads
//! much.
//!
//! Each block adds its sum to `progress` with one atomic, which also counts the blocks. The last one
//! writes the total and clears `progress`, so that the kernel can run again. The total wraps at 2^32,
//! as CUB's sum of ints does.
//!
//! Look at: *global load requests*, fewer than in the rung before, for the same sectors; and
//! at the time.
//@ input  data: int[n] = lcg256
//@ output out: int[1] = poison
//@ launch reduce(data, out, n) grid = (n + 65535) / 65536, block = 512
//@ test 1, 31, 32, 33, 511, 512, 513, 1021, 16384, 65535, 65536, 65537, 100003, 1048576
//@ page 2^18
//@ measure 2^24, 2^28
//@ bytes 4 * n
//@ fold add
//@ differs noise shared_store_wavefronts, shared_store_conflicts: the pipeline is busy with other work, and some passes are repeated (2026-11-21)
//@ equivalent `<=` for `<` in `for (unsigned int first = t; first < count; first += blockDim.x * 8) {`: a thread that starts at the end finds every element past it, and adds 0

/// High half: the sum of the blocks that are done. Low half: how many they are.
__device__ unsigned long long progress = 0;

/// The sum over a warp's lanes, in lane 0.
__device__ int warp_sum(int sum) {
#pragma unroll
    for (unsigned int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    return sum;
}

extern "C" __global__ void __launch_bounds__(512, 2)
reduce(const int* data, int* out, unsigned int n) {
    __shared__ int warps[16];  // one sum for each warp of the block
    unsigned int t = threadIdx.x;
    unsigned int start = blockIdx.x * blockDim.x * 32;
    unsigned int count = min(blockDim.x * 32, n / 4 - start);  // in vectors
    const int4* tile = reinterpret_cast<const int4*>(data) + start;

    int sum = 0;
    for (unsigned int first = t; first < count; first += blockDim.x * 8) {
#pragma unroll
        for (unsigned int k = 0; k < 8; k++) {
            unsigned int i = first + k * blockDim.x;
            int4 v = i < count ? tile[i] : make_int4(0, 0, 0, 0);
            sum += v.x + v.y + v.z + v.w;
        }
    }
    if (blockIdx.x == gridDim.x - 1 && t < n % 4)
        sum += data[n - 1 - t];  // the numbers after the last whole vector

    sum = warp_sum(sum);
    if (t % 32 == 0)
        warps[t / 32] = sum;
    __syncthreads();

    if (t < 32) {
        sum = warp_sum(t < 16 ? warps[t] : 0);
        if (t == 0) {
            unsigned long long mine =
                (unsigned long long)(unsigned int)sum << 32 | 1;
            unsigned long long all = atomicAdd(&progress, mine) + mine;
            if ((unsigned int)all == gridDim.x) {
                out[0] = (int)(all >> 32);
                atomicExch(&progress, 0ull);
            }
        }
    }
}

/// A part of the whole sum: the parts take the numbers in turn.
__host__ __device__ int expected_part(
    const int* data, unsigned int n, unsigned int i,
    unsigned int part, unsigned int parts) {
    int sum = 0;
    for (unsigned int k = part; k < n; k += parts)
        sum += data[k];
    return sum;
}
