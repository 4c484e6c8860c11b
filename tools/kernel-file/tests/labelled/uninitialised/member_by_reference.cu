//@ input in: float[n] = iota
//@ scratch out: float[n] = poison
//@ launch member_by_reference(in, out) grid = 1, block = n
//@ page 32
//@ catch uninitialised

#include "twins.cuh"
struct Point {
    float x, y, weight;
};
__device__ float length(const Point& p) { return p.x * p.x + p.y * p.y; } //~ uninitialised
__global__ void member_by_reference(const float* in, float* out) {
    Point p;
    p.x = in[threadIdx.x];
    FIX(p.y = 0;)
    out[threadIdx.x] = length(p);
}
