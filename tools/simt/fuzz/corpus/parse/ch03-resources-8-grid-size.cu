extern "C" __global__ void add(
 const float* a, const float* b, float* c, unsigned int n) {
 for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
 i += gridDim.x * blockDim.x)
 c[i] = a[i] + b[i];
}
__host__ __device__ float expected(
 const float* a, const float* b, unsigned int i) {
 return a[i] + b[i];
}
