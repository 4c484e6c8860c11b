//! The mask is made of the lanes that there are.
//@ input data: int[n] = iota
//@ launch partial_last_warp(data) grid = 1, block = n
//@ page 40

__global__ void partial_last_warp(int* data) {
    unsigned mask = __activemask();
    int v = data[threadIdx.x];
    data[threadIdx.x] = __reduce_add_sync(mask, v);
}
