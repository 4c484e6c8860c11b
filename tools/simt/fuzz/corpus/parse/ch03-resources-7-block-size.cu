extern "C" __global__ void add(
 const float* a, const float* b, float* c, unsigned int n) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < n)
 c[i] = a[i] + b[i];
}
__host__ __device__ float expected(
 const float* a, const float* b, unsigned int i) {
 return a[i] + b[i];
}
