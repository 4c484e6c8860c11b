extern "C" __global__ void vector_add(
 const float* a, const float* b, float* c, unsigned int n) {
 unsigned int first = blockIdx.x * blockDim.x + threadIdx.x;
 unsigned int threads = gridDim.x * blockDim.x; 
 for (unsigned int i = first; i < n; i += threads)
 c[i] = a[i] + b[i];
}
__host__ __device__ float expected(
 const float* a, const float* b, unsigned int i) {
 return a[i] + b[i];
}
