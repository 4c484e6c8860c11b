extern "C" __global__ void twice(float* data, unsigned int n) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < n)
 data[i] *= 2.0f;
}
__host__ __device__ float expected(const float* data, unsigned int i) {
 return data[i] * 2.0f;
}
