//@ launch device_variable() grid = 4, block = 32
//@ page 1
//@ catch race

#include "twins.cuh"
__device__ int total;
__global__ void device_variable() {
    EITHER((atomicAdd(&total, 1)), (total = blockIdx.x)); //~ race
}
