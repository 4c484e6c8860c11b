// What the programs of this folder share.
#include <cstdio>
#include <cstring>
const int N = 256, BYTES = N * sizeof(int);
__global__ void fill(int* a, int n, int v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = v;
}
__global__ void add(int* a, int n, int v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += v;
}
__global__ void move(const int* from, int* to, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i];
}
__global__ void every(int* a, int n, int first, int step) {
    int i = first + step * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) a[i] = i;
}
__global__ void letters(char* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = 'x';
}
__global__ void count(int* counter) { atomicAdd(counter, 1); }
__global__ void finish(int* data, volatile int* flag) {
    data[0] = 42;
    __threadfence_system();
    *flag = 1;
}
