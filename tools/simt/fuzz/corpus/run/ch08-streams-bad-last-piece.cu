1313
extern "C" __global__ void work(
 float* data, unsigned int first, unsigned int count) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < count)
 data[first + i] = data[first + i] * 0.5f + 0.25f; 
}
__host__ __device__ float expected(const float* data, unsigned int i) {
 return data[i] * 0.5f + 0.25f;
}
