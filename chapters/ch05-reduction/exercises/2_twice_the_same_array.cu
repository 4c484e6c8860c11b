//! # Twice the same array
//!
//! For each 128 numbers the kernel computes the mean, and then the sum of the distances from the mean. Both need a
//! sum over the block, so `block_sum` is called twice, with the same small array in shared memory.
//!
//! The result may be right. But the simulator reports a race between the two calls. Mend `block_sum`, so that it may
//! be called as often as one likes.
//!
//! ## Hint
//! Read the finding. One side is a read and the other a write. In which call is each of them?
//!
//! ## Hint
//! Warp 3 may still read the sums of the first call when warp 0 has computed the mean and is on its way through the
//! second call. What does warp 0 do there?
//!
//! ## Hint
//! No warp may write its sum for the second time before all have read the first ones. One barrier more does it.
//!
//! ## Why it works
//! The first barrier separates writing from reading. The second separates reading from the *next* writing. A function
//! that uses shared memory needs both if it may be called again: fill, wait, read, wait.
//!
//! *Barriers* shows the price, two per call and warp. With a second array for the second call there is no need for
//! it, and many kernels alternate between two arrays for this reason.
//@ exercise mend, 20 minutes
//@ input in: int[n] = lcg256
//@ output out: int[(n + 127) / 128] = poison
//@ launch deviation(in, out, n) grid = (n + 127) / 128, block = 128
//@ test 1, 2, 31, 32, 33, 127, 128, 129, 1021
//@ page 4096
//@ equivalent `!=` for `==` in `if (threadIdx.x % 32 == 0)`: the butterfly leaves the sum in every lane, and all of them store the same
//@ equivalent `31` for `32` in `warps[threadIdx.x / 32] = value;`: 0, 32, 64 and 96 divided by 31 are 0 to 3 as well
//@ equivalent `__shfl_down_sync` for `__shfl_xor_sync` in `value += __shfl_xor_sync(0xffffffff, value, distance);`: only lane 0 stores, and it has the same sum
//@ equivalent `y` for `x` in `if (threadIdx.x % 32 == 0)`: the butterfly leaves the sum in every lane, and all of them store the same
//@ equivalent `1` for `0` in `if (threadIdx.x % 32 == 0)`: the butterfly leaves the sum in every lane, also in lane 1
//@ equivalent `(true)` for `(threadIdx.x % 32 == 0)` in `if (threadIdx.x % 32 == 0)`: the butterfly leaves the sum in every lane, and all of them store the same
//@ equivalent `33` for `32` in `if (threadIdx.x % 32 == 0)`: the threads 0, 33, 66 and 99 are one of each warp

/// The sum of the values of all 128 threads, in every thread.
__device__ int block_sum(int value, int* warps) {
    //@ begin
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_xor_sync(0xffffffff, value, distance);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = value;
    __syncthreads();
    int sum = warps[0] + warps[1] + warps[2] + warps[3];
    __syncthreads();
    return sum;
    //@ starter
    //| for (int distance = 16; distance > 0; distance /= 2)
    //|     value += __shfl_xor_sync(0xffffffff, value, distance);
    //| if (threadIdx.x % 32 == 0)
    //|     warps[threadIdx.x / 32] = value;
    //| __syncthreads();
    //| return warps[0] + warps[1] + warps[2] + warps[3];
    //@ wrong race: a barrier of each warp does not keep the warps in step
    //| for (int distance = 16; distance > 0; distance /= 2)
    //|     value += __shfl_xor_sync(0xffffffff, value, distance);
    //| if (threadIdx.x % 32 == 0)
    //|     warps[threadIdx.x / 32] = value;
    //| __syncthreads();
    //| int sum = warps[0] + warps[1] + warps[2] + warps[3];
    //| __syncwarp();
    //| return sum;
    //@ wrong race: the barrier has been moved, so nobody waits before reading
    //| for (int distance = 16; distance > 0; distance /= 2)
    //|     value += __shfl_xor_sync(0xffffffff, value, distance);
    //| if (threadIdx.x % 32 == 0)
    //|     warps[threadIdx.x / 32] = value;
    //| int sum = warps[0] + warps[1] + warps[2] + warps[3];
    //| __syncthreads();
    //| return sum;
    //@ wrong barrier: only the lanes that write reach the second barrier
    //| for (int distance = 16; distance > 0; distance /= 2)
    //|     value += __shfl_xor_sync(0xffffffff, value, distance);
    //| if (threadIdx.x % 32 == 0) {
    //|     __syncthreads();
    //|     warps[threadIdx.x / 32] = value;
    //| }
    //| __syncthreads();
    //| return warps[0] + warps[1] + warps[2] + warps[3];
    //@ wrong race: a second barrier directly behind the first separates nothing more
    //| for (int distance = 16; distance > 0; distance /= 2)
    //|     value += __shfl_xor_sync(0xffffffff, value, distance);
    //| if (threadIdx.x % 32 == 0)
    //|     warps[threadIdx.x / 32] = value;
    //| __syncthreads();
    //| __syncthreads();
    //| return warps[0] + warps[1] + warps[2] + warps[3];
    //@ wrong result: the function returns the sum of the warp only
    //| for (int distance = 16; distance > 0; distance /= 2)
    //|     value += __shfl_xor_sync(0xffffffff, value, distance);
    //| return value;
    //@ right: an atomic on one word
    //| if (threadIdx.x == 0)
    //|     warps[0] = 0;
    //| __syncthreads();
    //| int part = __reduce_add_sync(0xffffffff, value);
    //| if (threadIdx.x % 32 == 0)
    //|     atomicAdd(warps, part);
    //| __syncthreads();
    //| int sum = *warps;
    //| __syncthreads();
    //| return sum;
    //@ right: shuffles in the second stage, too
    //| for (int distance = 1; distance < 32; distance *= 2)
    //|     value += __shfl_xor_sync(0xffffffff, value, distance);
    //| int lane = threadIdx.x % 32;
    //| if (lane == 31)
    //|     warps[threadIdx.x / 32] = value;
    //| __syncthreads();
    //| int sum = warps[lane % 4];
    //| sum += __shfl_xor_sync(0xffffffff, sum, 1);
    //| sum += __shfl_xor_sync(0xffffffff, sum, 2);
    //| __syncthreads();
    //| return sum;
    //@ right: votes of the block, bit by bit
    //| int sum = 0;
    //| for (int bit = 0; bit < 8; bit++)
    //|     sum += __syncthreads_count(value >> bit & 1) << bit;
    //| return sum;
    //@ end
}

extern "C" __global__ void deviation(const int* in, int* out, int n) {
    __shared__ int warps[4];
    int start = blockIdx.x * 128;
    int i = start + threadIdx.x;
    int count = min(128, n - start);

    int value = i < n ? in[i] : 0;
    int mean = block_sum(value, warps) / count;
    int distance = i < n ? abs(value - mean) : 0;
    int all = block_sum(distance, warps);
    if (threadIdx.x == 0)
        out[blockIdx.x] = all;
}

/// The sum of the distances of block i's numbers from their mean.
__host__ __device__ int expected(const int* in, int n, int i) {
    int sum = 0, count = 0, distances = 0;
    for (int k = 128 * i; k < n && k < 128 * i + 128; k++, count++)
        sum += in[k];
    for (int k = 128 * i; k < 128 * i + count; k++)
        distances += in[k] < sum / count ? sum / count - in[k] : in[k] - sum / count;
    return distances;
}
