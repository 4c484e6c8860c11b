//! # Two totals with few atomics
//!
//! Add up `n` numbers in two totals: `totals[0]` is the sum of the even ones, `totals[1]` the sum of the odd ones.
//! Both are zero before the launch. The kernel below is right. It makes one atomic addition for each number, and all
//! of them go to the same two words. Let each block add up its own numbers first, and then add its two sums.
//!
//! The goals: at most two atomic requests to global memory per block of 256. A request is one instruction of one
//! warp, whatever the number of its lanes: the kernel below makes one per warp, eight per block. They are counted
//! under two names: *global reductions* if nobody uses the result of `atomicAdd`, and *global atomics* if somebody
//! does. Neither may be more than two per block.
//!
//! ## Hint
//! Each thread has two values: its number and 0 if the number is even, 0 and its number if it is odd. So there are
//! two reductions over the block.
//!
//! ## Hint
//! First within the warp, with shuffles. Then the eight warps of the block meet in shared memory.
//!
//! ## Hint
//! Two words of shared memory are enough: one thread sets them to zero, then a barrier; lane 0 of each warp adds its
//! sums with `atomicAdd` on these words, then a barrier; two threads add them to the totals.
//!
//! ## Why it works
//! Atomics on one word follow one another, whichever lanes they come from. In shared memory only the warps
//! of a block meet, and after the shuffles there is one lane per warp. Each stage has fewer to combine: 32 lanes, 8
//! warps, all blocks.
//!
//! *Global reductions*, the atomics whose result nobody uses, fall to one or two per block. A barrier must stand on
//! both sides of the additions in shared memory.
//@ exercise improve, 35 minutes
//@ gate global_reductions <= n / 128
//@ gate global_atomics <= n / 128
//@ input in: int[n] = lcg256
//@ output totals: int[2] = zero
//@ launch two_totals(in, totals, n) grid = (n + 255) / 256, block = 256
//@ test 1, 2, 31, 32, 33, 255, 256, 257, 1021
//@ page 8192

extern "C" __global__ void two_totals(const int* in, int* totals, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    //@ begin
    __shared__ int sums[2];
    if (threadIdx.x < 2)
        sums[threadIdx.x] = 0;
    __syncthreads();

    int value = i < n ? in[i] : 0;
    int even = value % 2 == 0 ? value : 0;
    int odd = value - even;
    for (int distance = 16; distance > 0; distance /= 2) {
        even += __shfl_down_sync(0xffffffff, even, distance);
        odd += __shfl_down_sync(0xffffffff, odd, distance);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&sums[0], even);
        atomicAdd(&sums[1], odd);
    }
    __syncthreads();

    if (threadIdx.x < 2)
        atomicAdd(&totals[threadIdx.x], sums[threadIdx.x]);
    //@ starter
    //| if (i < n)
    //|     atomicAdd(&totals[in[i] % 2], in[i]);
    //@ wrong gate global_reductions: one atomic per warp and total is still eight times as many as needed
    //| int value = i < n ? in[i] : 0;
    //| int even = value % 2 == 0 ? value : 0;
    //| int odd = value - even;
    //| for (int distance = 16; distance > 0; distance /= 2) {
    //|     even += __shfl_down_sync(0xffffffff, even, distance);
    //|     odd += __shfl_down_sync(0xffffffff, odd, distance);
    //| }
    //| if (threadIdx.x % 32 == 0) {
    //|     atomicAdd(&totals[0], even);
    //|     atomicAdd(&totals[1], odd);
    //| }
    //@ wrong race: the sums of the block are read before all warps have added theirs
    //| __shared__ int sums[2];
    //| if (threadIdx.x < 2)
    //|     sums[threadIdx.x] = 0;
    //| __syncthreads();
    //| if (i < n)
    //|     atomicAdd(&sums[in[i] % 2], in[i]);
    //| if (threadIdx.x < 2)
    //|     atomicAdd(&totals[threadIdx.x], sums[threadIdx.x]);
    //@ wrong uninitialised: nobody has set the words in shared memory to zero
    //| __shared__ int sums[2];
    //| if (i < n)
    //|     atomicAdd(&sums[in[i] % 2], in[i]);
    //| __syncthreads();
    //| if (threadIdx.x < 2)
    //|     atomicAdd(&totals[threadIdx.x], sums[threadIdx.x]);
    //@ wrong race: a warp may add before another one has set the words to zero
    //| __shared__ int sums[2];
    //| if (threadIdx.x < 2)
    //|     sums[threadIdx.x] = 0;
    //| if (i < n)
    //|     atomicAdd(&sums[in[i] % 2], in[i]);
    //| __syncthreads();
    //| if (threadIdx.x < 2)
    //|     atomicAdd(&totals[threadIdx.x], sums[threadIdx.x]);
    //@ wrong race: the blocks change the totals without an atomic
    //| __shared__ int sums[2];
    //| if (threadIdx.x < 2)
    //|     sums[threadIdx.x] = 0;
    //| __syncthreads();
    //| if (i < n)
    //|     atomicAdd(&sums[in[i] % 2], in[i]);
    //| __syncthreads();
    //| if (threadIdx.x < 2)
    //|     totals[threadIdx.x] += sums[threadIdx.x];
    //@ right: atomics in shared memory
    //| __shared__ int sums[2];
    //| if (threadIdx.x < 2)
    //|     sums[threadIdx.x] = 0;
    //| __syncthreads();
    //| if (i < n)
    //|     atomicAdd(&sums[in[i] & 1], in[i]);
    //| __syncthreads();
    //| if (threadIdx.x < 2)
    //|     atomicAdd(&totals[threadIdx.x], sums[threadIdx.x]);
    //@ right: one 64-bit atomic for both totals
    //| __shared__ unsigned long long parts[8];
    //| unsigned long long value = 0;
    //| if (i < n)
    //|     value = in[i] % 2 ? (unsigned long long)in[i] << 32 : (unsigned long long)in[i];
    //| for (int d = 16; d > 0; d /= 2)
    //|     value += __shfl_xor_sync(0xffffffff, value, d);
    //| if (threadIdx.x % 32 == 0)
    //|     parts[threadIdx.x / 32] = value;
    //| __syncthreads();
    //| if (threadIdx.x == 0) {
    //|     for (int w = 1; w < 8; w++)
    //|         value += parts[w];
    //|     atomicAdd(reinterpret_cast<unsigned long long*>(totals), value);
    //| }
    //@ right: both sums in an array of the thread
    //| __shared__ int all[2];
    //| int sums[2] = {0, 0};
    //| if (threadIdx.x == 0)
    //|     all[0] = all[1] = 0;
    //| __syncthreads();
    //| if (i < n)
    //|     sums[in[i] % 2] = in[i];
    //| for (int k = 0; k < 2; k++) {
    //|     for (int d = 16; d > 0; d /= 2)
    //|         sums[k] += __shfl_down_sync(0xffffffff, sums[k], d);
    //|     if (threadIdx.x % 32 == 0)
    //|         atomicAdd(&all[k], sums[k]);
    //| }
    //| __syncthreads();
    //| if (threadIdx.x < 2)
    //|     atomicAdd(&totals[threadIdx.x], all[threadIdx.x]);
    //@ end
}

/// The sum of the even numbers (i = 0) or of the odd ones (i = 1).
__host__ __device__ int expected(const int* in, int n, int i) {
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += in[k] % 2 == i ? in[k] : 0;
    return sum;
}
