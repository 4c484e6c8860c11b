//@ scratch out: int[n] = poison
//@ launch misaligned_shared(out) grid = 1, block = n
//@ page 32
//@ catch bounds

#include "twins.cuh"
__global__ void misaligned_shared(int* out) {
    extern __shared__ int none[];
    __shared__ __align__(16) char s[132];
    int* words = (int*)(s + EITHER((4), (2)));
    words[threadIdx.x] = threadIdx.x; //~ bounds
    out[threadIdx.x] = words[threadIdx.x];
}
