extern "C" __global__ void axpy(
 const float* x, float* y, unsigned int n) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < n)
 y[i] = 0.5f * x[i] + y[i];
}
__host__ __device__ float expected(
 const float* x, const float* y, unsigned int i) {
 return 0.5f * x[i] + y[i];
}
