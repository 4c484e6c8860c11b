//@ launch device_array(n) grid = 1, block = 64
//@ page 1
//@ catch bounds

#include "twins.cuh"
__device__ int results[60];
__global__ void device_array(int n) { results[EITHER((threadIdx.x % 60), (threadIdx.x))] = EITHER((1), (n)); } //~ bounds
