// The address of a shared access wraps at 32 bits: `p[~u]` with unsigned u, `s[1ull << 30]`.
#include <cstdio>
__global__ void k(unsigned u, unsigned long long far, int* out) {
    __shared__ int s[64];
    s[threadIdx.x] = 100 + threadIdx.x;
    s[threadIdx.x + 32] = 200 + threadIdx.x;
    __syncthreads();
    int* p = s + 32;
    if (threadIdx.x == 0) {
        out[0] = p[~u];            // u = 0: index 4294967295, byte offset 4*(2^32-1): wraps to -4
        out[1] = p[~u - 4];        // wraps to -20
        out[2] = s[far];           // far = 2^30: byte offset 2^32
        out[3] = s[far + 5];
        s[far + 6] = 777;          // a store
        out[4] = s[6];
        out[5] = atomicAdd(&s[far + 6], 1);
        out[6] = s[6];
        float4* v = (float4*)s;
        out[7] = __float_as_int(v[(far >> 2) + 1].y);
    }
}
int main() {
    int* out; cudaMallocManaged(&out, 64 * sizeof(int));
    for (int i = 0; i < 64; ++i) out[i] = -1;
    k<<<1, 32>>>(0, 1ull << 30, out);
    cudaError_t e = cudaDeviceSynchronize();
    printf("known space: %s\n", cudaGetErrorName(e));
    for (int i = 0; i < 8; ++i) printf("out[%d] = %d\n", i, out[i]);
    return 0;
}
