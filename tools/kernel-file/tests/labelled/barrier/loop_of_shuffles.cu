//! The last round has eight lanes, and the mask says 32.
//@ input data: int[n] = iota
//@ launch loop_of_shuffles(data, n) grid = 1, block = 32
//@ page 40
//@ catch sync-mask

#include "twins.cuh"
__global__ void loop_of_shuffles(int* data, int n) {
    int t = threadIdx.x;
    for (int base = 0; EITHER((base), (base + t)) < n; base += 32) {
        int v = base + t < n ? data[base + t] : 0;
        v = __shfl_xor_sync(0xffffffffu, v, 16); //~ sync-mask
        if (base + t < n) data[base + t] = v;
    }
}
