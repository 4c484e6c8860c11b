//! Who has written it himself reads what he wrote, whoever else wrote the same.
//@ scratch all: int[1] = zero
//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch set_by_all_and_read(all, in, out) grid = 1, block = n
//@ test 32
//@ page 256

__global__ void set_by_all_and_read(int* all, const int* in, int* out) {
    all[0] = __syncthreads_and(in[threadIdx.x] >= 0);
    out[threadIdx.x] = all[0] + in[threadIdx.x];
}
