#define TILE 16
#define AT(a, r, c, w) ((a)[(r) * (w) + (c)])
#define CAT(a, b) a##b
#if defined(TILE) && TILE >= 16
#define LIMIT (TILE * 2)
#else
#error "no"
#endif
#ifndef __CUDACC_RTC__
#include <vector>
int main() { std::vector<int> v; return 0; }
#endif
extern "C" __global__ void CAT(trans, pose)(const float* in, float* out, int w, int h) {
    __shared__ float tile[TILE][TILE + 1];
    extern __shared__ float more[];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < w && y < h && x < LIMIT) tile[threadIdx.y][threadIdx.x] = AT(in, y, x, w);
    __syncthreads();
    more[threadIdx.x] = tile[threadIdx.x][threadIdx.y];
    AT(out, x, y, h) = more[threadIdx.x];
}
