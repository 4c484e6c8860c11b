// printf in kernels, one thread at a time so that the order is known.
#include <cstdio>

struct Point {
    float x, y;
};

__global__ void formats(Point p, const char* unused) {
    printf("ints: %d %5d|%-5d|%05d %x %X %o %u %i\n", 42, 42, 42, 42, 255, 255, 8, 4000000000u, -7);
    printf("long: %ld %lld %llu %lx %zu\n", 1L << 40, -1LL, 18446744073709551615ULL, 0xdeadbeefcafeL, sizeof(Point));
    printf("float: %f %.2f %8.3f|%-8.1f| %e %g %G\n", 3.14159, 2.5f, -1.25, 9.75, 12345.678, 0.0001, 1e10);
    printf("char: %c%c%c %% %s %10s|%-10s|\n", 'a', 66, '!', "text", "right", "left");
    printf("point (%.1f, %.1f) from block %d thread %d\n", p.x, p.y, blockIdx.x, threadIdx.x);
    int written = printf("no arguments\n");
    printf("returned %d\n", written);
}

__global__ void ordered(int turn) {
    if (threadIdx.x == turn) printf("thread %d of %d says hello\n", threadIdx.x, blockDim.x);
}

int main() {
    printf("before\n");
    fflush(stdout);
    formats<<<1, 1>>>(Point{1.5f, -2.5f}, nullptr);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4; ++i) {
        ordered<<<1, 4>>>(3 - i);
        cudaDeviceSynchronize();
    }
    if (cudaGetLastError() != cudaSuccess) return 1;
    printf("passed\n");
    return 0;
}
