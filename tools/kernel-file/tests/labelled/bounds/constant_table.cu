//@ scratch out: int[n] = poison
//@ launch constant_table(out, n) grid = 1, block = n
//@ test 16
//@ page 20
//@ catch bounds

#include "twins.cuh"
__constant__ int table[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
__global__ void constant_table(int* out, int n) {
    int t = threadIdx.x;
    out[t] = table[EITHER((t % 16), (t))]; //~ bounds
}
