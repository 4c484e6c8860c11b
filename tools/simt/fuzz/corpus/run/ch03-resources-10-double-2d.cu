2437
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
