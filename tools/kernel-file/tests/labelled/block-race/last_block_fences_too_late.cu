//@ scratch part: int[n] = poison
//@ scratch ticket: unsigned[1] = zero
//@ scratch out: int[1] = poison
//@ launch last_block_fences_too_late(part, ticket, out) grid = n, block = 32
//@ page 4
//@ catch race

__device__ int total;
__global__ void last_block_fences_too_late(int* part, unsigned* ticket, int* out) {
    if (threadIdx.x == 0) {
        part[blockIdx.x] = blockIdx.x;
        bool last = atomicAdd(ticket, 1) == gridDim.x - 1;
        __threadfence();
        if (last) {
            int total = 0;
            for (int b = 0; b < gridDim.x; b++) total += part[b]; //~ race
            *out = total;
        }
    }
}
