//@ input data: int[n] = iota
//@ scratch out: int[1] = poison
//@ launch ballot_in_a_branch(data, out) grid = 1, block = 32
//@ page 32
//@ catch sync-mask

#include "twins.cuh"
__global__ void ballot_in_a_branch(const int* data, int* out) {
    int t = threadIdx.x;
    unsigned mask = __ballot_sync(0xffffffffu, t < 24);
    if (t < 24) {
        unsigned odd = __ballot_sync(EITHER((mask), (0xffffffffu)), data[t] % 2); //~ sync-mask
        if (t == 0) *out = (int)odd;
    }
}
