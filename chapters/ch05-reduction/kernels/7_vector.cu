//! One kernel for the whole sum, and wide loads: an `int4` is four ints in one instruction, so a
//! warp asks for 512 bytes at a time. Each thread sends off eight such loads before it needs the
//! first, which keeps enough bytes on their way to fill the memory's pipe.
//!
//! The partials are not written out for a second kernel to add. Each block adds its own to `total`
//! by one atomic, and the block that arrives last hands the total over and leaves both counters as
//! it found them. So the kernel can run again, and no one has to clear anything first.
//!
//! Look at: *load requests*, a quarter of the rung before's, for the same sectors; and the share
//! of the ceiling. The total wraps at 2^32, as CUB's sum of ints does.
//@ input  data: int[n] = lcg256
//@ output out: int[1] = poison
//@ launch reduce(data, out, n) grid = (n + 16383) / 16384, block = 512
//@ test 1, 31, 32, 33, 511, 512, 513, 1021, 16383, 16384, 16385, 65536, 100003
//@ page 2^18
//@ measure 2^24, 2^28
//@ bytes 4 * n
//@ fold add

__device__ int total = 0;
__device__ unsigned int arrived = 0;

/// The sum over a warp's lanes, in lane 0.
__device__ int warp_sum(int sum) {
#pragma unroll
    for (unsigned int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    return sum;
}

extern "C" __global__ void __launch_bounds__(512, 2) reduce(const int* data, int* out, unsigned int n) {
    __shared__ int warps[16];  // one sum for each warp of the block
    unsigned int t = threadIdx.x;
    unsigned int start = blockIdx.x * blockDim.x * 8;
    unsigned int count = min(blockDim.x * 8, n / 4 - start);  // whole vectors; fewer in the last block
    const int4* tile = reinterpret_cast<const int4*>(data) + start;

    int sum = 0;
#pragma unroll
    for (unsigned int k = 0; k < 8; k++) {
        unsigned int i = t + k * blockDim.x;
        int4 v = i < count ? tile[i] : make_int4(0, 0, 0, 0);
        sum += v.x + v.y + v.z + v.w;
    }
    if (blockIdx.x == gridDim.x - 1 && t < n % 4)
        sum += data[n - 1 - t];  // what no vector covers

    sum = warp_sum(sum);
    if (t % 32 == 0)
        warps[t / 32] = sum;
    __syncthreads();

    if (t < 32) {
        sum = warp_sum(t < 16 ? warps[t] : 0);
        if (t == 0) {
            atomicAdd(&total, sum);
            __threadfence();
            if (atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1) {
                __threadfence();
                out[0] = atomicExch(&total, 0);
            }
        }
    }
}

/// A part of the whole sum: parts take the numbers in turn.
__host__ __device__ int expected_part(const int* data, unsigned int n, unsigned int i, unsigned int part, unsigned int parts) {
    int sum = 0;
    for (unsigned int k = part; k < n; k += parts)
        sum += data[k];
    return sum;
}
