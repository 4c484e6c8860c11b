//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch element_of_a_copy(in, out) grid = 1, block = n
//@ page 32
//@ catch uninitialised

#include "twins.cuh"
struct List {
    int count, item[4];
};
__global__ void element_of_a_copy(const int* in, int* out) {
    __shared__ List all[64];
    int t = threadIdx.x;
    List list;
    list.count = 2;
    list.item[t % 2] = in[t];
    FIX(list.item[1 - t % 2] = 0;)
    List copy = list;
    all[t] = copy;
    __syncthreads();
    List last = all[blockDim.x - 1 - t];
    int sum = 0;
    for (int i = 0; i < last.count; ++i) sum += last.item[i]; //~ uninitialised
    out[t] = sum;
}
