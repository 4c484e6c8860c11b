extern "C" __global__ void divergent(float* data, unsigned int n) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < n) {
 if (i % 2 == 0)
 data[i] = data[i] * 2.0f + 1.0f;
 else
 data[i] = data[i] * 0.5f - 1.0f;
 }
}
__host__ __device__ float expected(const float* data, unsigned int i) {
 return i % 2 == 0 ? data[i] * 2.0f + 1.0f : data[i] * 0.5f - 1.0f;
}
