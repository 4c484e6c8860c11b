//! The same for a picture of `width` times `height` numbers, by blocks of two dimensions.
//@ output data: float[n * n] = frac
//@ launch twice(data, n, n) grid = ((n + 15) / 16, (n + 63) / 64), block = (16, 64)
//@ test 1, 15, 16, 17, 63, 64, 65
//@ page 512
//@ bytes 8 * n * n

extern "C" __global__ void twice(
    float* data, unsigned int width, unsigned int height) {
    unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        data[y * width + x] *= 2.0f;
}

__host__ __device__ float expected(const float* data, unsigned int i) {
    return data[i] * 2.0f;
}
