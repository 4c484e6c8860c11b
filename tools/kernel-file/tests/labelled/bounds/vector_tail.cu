//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch vector_tail(in, out, n) grid = 1, block = 64
//@ test 64
//@ page 250
//@ catch bounds

#include "twins.cuh"
__global__ void vector_tail(const int* in, int* out, int n) {
    int at = threadIdx.x * 4;
    if (EITHER((at + 3), (at)) < n) {
        int4 v = *(const int4*)(in + at); //~ bounds
        *(int4*)(out + at) = v;
    } else {
        for (int i = at; i < n; i++) out[i] = in[i];
    }
}
