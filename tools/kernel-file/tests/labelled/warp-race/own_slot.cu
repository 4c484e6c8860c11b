//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch own_slot(in, out) grid = 1, block = 64
//@ page 64

__global__ void own_slot(const int* in, int* out) {
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    if (in[threadIdx.x] % 2) s[threadIdx.x]++;
    out[threadIdx.x] = s[threadIdx.x];
}
