//@ scratch raw: int[n] = poison
//@ input out: int[n] = iota
//@ launch copy(raw, out) grid = 1, block = 32
//@ page 32

__global__ void copy(const int* raw, int* out) { out[threadIdx.x] = raw[threadIdx.x]; }
