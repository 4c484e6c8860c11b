//@ input in: float[n] = iota
//@ scratch out: float[n] = poison
//@ launch member_that_nobody_wrote(in, out) grid = 1, block = n
//@ page 32
//@ catch uninitialised

#include "twins.cuh"
struct Point {
    float x, y, weight;
};
__global__ void member_that_nobody_wrote(const float* in, float* out) {
    Point p;
    p.x = in[threadIdx.x];
    p.y = 2 * p.x;
    FIX(p.weight = 1;)
    out[threadIdx.x] = p.weight * (p.x + p.y); //~ uninitialised
}
