//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch read_only(in, out) grid = 1, block = n
//@ test 64
//@ page 256

__global__ void read_only(const int* in, int* out) { out[threadIdx.x] = in[0] + in[1] + in[threadIdx.x]; }
