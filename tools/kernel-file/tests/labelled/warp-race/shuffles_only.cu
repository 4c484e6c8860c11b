//@ input data: int[n] = iota
//@ launch shuffles_only(data) grid = 1, block = 64
//@ page 64

__global__ void shuffles_only(int* data) {
    int v = data[threadIdx.x];
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
    data[threadIdx.x] = v;
}
