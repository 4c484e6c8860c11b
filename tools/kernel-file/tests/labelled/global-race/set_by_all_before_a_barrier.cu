//@ scratch all: int[1] = zero
//@ scratch out: int[n] = poison
//@ launch set_by_all_before_a_barrier(all, out) grid = 1, block = n
//@ page 64
//@ catch race

__global__ void set_by_all_before_a_barrier(int* all, int* out) {
    all[0] = 5;
    __syncthreads();
    if (threadIdx.x == 3) all[0] = 6;
    else out[threadIdx.x] = all[0]; //~ race
}
