//@ input in: float[n] = iota
//@ scratch out: float[n] = poison
//@ launch passed_on_by_reference(in, out) grid = 1, block = n
//@ page 32
//@ catch uninitialised

#include "twins.cuh"
__device__ void more(float& sum, float by) { sum += by; } //~ uninitialised
__device__ void much_more(float& sum, float by) {
    more(sum, by);
    more(sum, 2 * by);
}
__global__ void passed_on_by_reference(const float* in, float* out) {
    float sum EITHER((= 0), ());
    much_more(sum, in[threadIdx.x]);
    out[threadIdx.x] = sum;
}
