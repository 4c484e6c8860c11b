3526
extern "C" __global__ void weights(
 const float* mass, float* out, unsigned int n) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < n)
 out[i] = 9.81f * mass[i];
}
__host__ __device__ float expected(const float* mass, unsigned int i) {
 return 9.81f * mass[i];
}
