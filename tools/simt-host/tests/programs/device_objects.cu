// Objects of classes in kernels: virtual functions, destructors, and functions called through pointers.
#include <cstdio>
struct Shape { __device__ virtual float area() const = 0; __device__ virtual ~Shape() { atomicAdd(n(), 1); } __device__ static int* n(); };
__device__ int gone, made;
__device__ int* Shape::n() { return &gone; }
struct Sq : Shape { float a; __device__ Sq(float a) : a(a) { atomicAdd(&made, 1);} __device__ float area() const override { return a * a; } };
struct Circ : Shape { float r; int* own; __device__ Circ(float r) : r(r) { own = new int[4]; own[3] = 7; } __device__ float area() const override { return 3 * r * r + own[3]; } __device__ ~Circ() { delete[] own; } };
struct List : Shape { Shape** s; int n_; __device__ List(Shape** s, int n) : s(s), n_(n) {} __device__ float area() const { float t = 0; for (int i = 0; i < n_; i++) t += s[i]->area(); return t; } };
__global__ void make(Shape** out, Shape** world) {
    int i = threadIdx.x;
    if (i & 1) out[i] = new Circ(i); else out[i] = new Sq(i);
    __syncthreads();
    if (i == 0) *world = new List(out, blockDim.x);
}
__global__ void areas(Shape** in, float* out, Shape** world) { out[threadIdx.x] = in[threadIdx.x]->area(); if (threadIdx.x == 0) out[32] = (*world)->area(); }
__global__ void drop(Shape** in, Shape** world) { delete in[threadIdx.x]; if (threadIdx.x == 0) delete *world; }
struct Guard { int* p; __device__ Guard(int* p) : p(p) { atomicAdd(p, 1); } __device__ ~Guard() { atomicAdd(p, 100); } };
__device__ int early(int* p, int x) { Guard g(p); if (x < 2) return x; for (int i = 0; i < 4; i++) { Guard h(p); if (i == x - 2) break; if (i & 1) continue; } return x * 2; }
__global__ void guards(int* p, int* out) { out[threadIdx.x] = early(p + threadIdx.x, threadIdx.x); }
typedef float (*op_t)(float, float);
__device__ float add(float a, float b) { return a + b; }
__device__ float mul(float a, float b) { return a * b; }
__device__ op_t table[2] = {add, &mul};
__device__ op_t d_mul = mul;
__global__ void ops(float* out, op_t f) { out[0] = table[0](2, 3); out[1] = table[threadIdx.x + 1](2, 3); out[2] = f(4, 5); op_t l = threadIdx.x ? mul : add; out[3] = l(6, 7); out[4] = (*f)(1, 9); }
template <op_t F> __global__ void tmpl(float* out) { out[0] = F(3, 4); }
template <typename F> __device__ float apply(F f, float a, float b) { return f(a, b); }
__global__ void viaT(float* out) { out[0] = apply(mul, 5, 6); out[1] = apply(&add, 5, 6); }
int main() {
    Shape **d, **w; float *o, h[33]; int *p, hp[8], *q, hq[8];
    cudaMalloc(&d, 32 * sizeof(*d)); cudaMalloc(&w, sizeof(*w)); cudaMalloc(&o, 33 * 4); cudaMalloc(&p, 32); cudaMalloc(&q, 32); cudaMemset(p, 0, 32);
    make<<<1, 32>>>(d, w); areas<<<1, 32>>>(d, o, w); drop<<<1, 32>>>(d, w);
    cudaMemcpy(h, o, 33 * 4, cudaMemcpyDeviceToHost);
    float s = 0; for (int i = 0; i < 32; i++) s += h[i];
    int g; cudaMemcpyFromSymbol(&g, gone, 4); printf("%g %g %g %g gone %d\n", h[2], h[3], s, h[32], g);
    guards<<<1, 8>>>(p, q); cudaMemcpy(hp, p, 32, cudaMemcpyDeviceToHost); cudaMemcpy(hq, q, 32, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++) printf("%d:%d ", hq[i], hp[i]); printf("\n");
    op_t f; cudaMemcpyFromSymbol(&f, d_mul, sizeof f);
    ops<<<1, 1>>>(o, f); cudaMemcpy(h, o, 20, cudaMemcpyDeviceToHost); printf("%g %g %g %g %g\n", h[0], h[1], h[2], h[3], h[4]);
    tmpl<add><<<1, 1>>>(o); cudaMemcpy(h, o, 4, cudaMemcpyDeviceToHost); printf("%g ", h[0]);
    tmpl<mul><<<1, 1>>>(o); cudaMemcpy(h, o, 4, cudaMemcpyDeviceToHost); printf("%g\n", h[0]);
    viaT<<<1, 1>>>(o); cudaMemcpy(h, o, 8, cudaMemcpyDeviceToHost); printf("%g %g\n", h[0], h[1]);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
