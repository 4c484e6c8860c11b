//! The block with the highest number need not be the last to end.
//@ input in: int[n] = iota
//@ scratch part: int[n / 64] = poison
//@ scratch out: int[1] = poison
//@ launch last_block_without_a_ticket(in, part, out) grid = n / 64, block = 64
//@ page 256
//@ catch race

__device__ int total;
__global__ void last_block_without_a_ticket(const int* in, int* part, int* out) {
    if (threadIdx.x == 0) {
        part[blockIdx.x] = in[blockIdx.x * 64];
        __threadfence();
        if (blockIdx.x == gridDim.x - 1) {
            int total = 0;
            for (int b = 0; b < gridDim.x; b++) total += part[b]; //~ race
            *out = total;
        }
    }
}
