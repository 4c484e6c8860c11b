//! Each block adds up its part of the numbers with an atomic of block scope, and publishes the sum.
//! The last block to arrive adds up those of all blocks.
//!
//! Look at: the scope and the order of each atomic. What has to see what?
//@ input  in: int[n] = lcg256
//@ scratch part: int[(n + 255) / 256] = zero
//@ scratch ready: unsigned int[1] = zero
//@ output total: int[1] = zero
//@ launch sum(in, part, ready, total, n) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 256, 257, 1000
//@ page 1000
#include <cuda/atomic>

/// Each block publishes a partial sum; the last one to arrive adds them up.
extern "C" __global__ void sum(const int* in, int* part, unsigned int* ready,
                               int* total, int n) {
    __shared__ int block_sum;
    if (threadIdx.x == 0)
        block_sum = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        // Only this block's threads use the word: block scope is enough.
        cuda::atomic_ref<int, cuda::thread_scope_block> shared(block_sum);
        shared.fetch_add(in[i], cuda::memory_order_relaxed);
    }
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    part[blockIdx.x] = block_sum;
    // Release: the store above comes before the count. Acquire: the loads
    // below come after it. Device scope: other blocks are meant.
    cuda::atomic_ref<unsigned int, cuda::thread_scope_device> count(*ready);
    unsigned int before = count.fetch_add(1, cuda::memory_order_acq_rel);
    if (before != gridDim.x - 1)
        return;
    int all = 0;
    for (unsigned int b = 0; b < gridDim.x; b++)
        all += part[b];
    *total = all;
}

__host__ __device__ int expected(const int* in, int n, int i) {
    int all = 0;
    for (int k = 0; k < n; k++)
        all += in[k];
    return all;
}
