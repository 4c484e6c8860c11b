//@ input in: float[n] = iota
//@ scratch out: float[n] = poison
//@ launch fourth_component(in, out) grid = 1, block = n
//@ page 32
//@ catch uninitialised

#include "twins.cuh"
__global__ void fourth_component(const float* in, float* out) {
    float4 v;
    v.x = v.y = v.z = in[threadIdx.x];
    if (threadIdx.x EITHER((< 64), (< 20))) v.w = 1;
    out[threadIdx.x] = v.x + v.y + v.z + v.w; //~ uninitialised
}
