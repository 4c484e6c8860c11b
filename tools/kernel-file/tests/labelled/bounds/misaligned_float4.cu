//@ input in: float[n + 4] = iota
//@ scratch out: float[n] = poison
//@ launch misaligned_float4(in, out, n) grid = 1, block = n / 4
//@ test 64
//@ page 256
//@ catch bounds

#include "twins.cuh"
__global__ void misaligned_float4(const float* in, float* out, int n) {
    const float4* v = (const float4*)(in + EITHER((4), (1)));
    ((float4*)out)[threadIdx.x] = v[threadIdx.x]; //~ bounds
}
