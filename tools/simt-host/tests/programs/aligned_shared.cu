// Dynamic shared memory begins at the alignment that its array asks for, behind static arrays of any size.
#include <cstdio>

__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

template <int align>
__global__ void aligned(unsigned* out) {
    __shared__ char before[5];
    extern __shared__ __align__(align) unsigned char data[];
    before[threadIdx.x] = 1;
    data[threadIdx.x] = before[threadIdx.x];
    if (threadIdx.x == 0) *out = address(data) % align + data[0] - 1;
}

int main() {
    unsigned* out;
    cudaMallocManaged(&out, sizeof *out);
    aligned<16><<<1, 4, 64>>>(out);
    cudaDeviceSynchronize();
    printf("16: %u\n", *out);
    aligned<128><<<1, 4, 64>>>(out);
    cudaDeviceSynchronize();
    printf("128: %u\n", *out);
    aligned<1024><<<1, 4, 64>>>(out);
    cudaDeviceSynchronize();
    printf("1024: %u\n", *out);
    return cudaFree(out);
}
