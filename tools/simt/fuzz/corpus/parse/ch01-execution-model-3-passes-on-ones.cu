extern "C" __global__ void vector_add(
 const float* a, const float* b, float* c, unsigned int n) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < n)
 c[i] = a[0] + b[n - 1 - i];
}
__host__ __device__ float expected(
 const float* a, const float* b, unsigned int i) {
 return a[i] + b[i];
}
