//! Each number times two, in place: the kernel for which the host asks the driver for a block size.
//@ output data: float[n] = frac
//@ launch twice(data, n) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 1023, 1024, 1025
//@ page 100000
//@ bytes 8 * n

extern "C" __global__ void twice(float* data, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] *= 2.0f;
}

__host__ __device__ float expected(const float* data, unsigned int i) {
    return data[i] * 2.0f;
}
