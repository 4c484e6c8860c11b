//@ input in: float[n] = iota
//@ scratch out: float[n] = poison
//@ launch struct_copied_before_it_is_full(in, out) grid = 1, block = n
//@ page 32

struct Point {
    float x, y, weight;
};
__device__ float length(const Point& p) { return p.x * p.x + p.y * p.y; }
__global__ void struct_copied_before_it_is_full(const float* in, float* out) {
    Point p, q;
    p.x = in[threadIdx.x];
    q = p;
    q.y = q.x;
    out[threadIdx.x] = length(q);
}
