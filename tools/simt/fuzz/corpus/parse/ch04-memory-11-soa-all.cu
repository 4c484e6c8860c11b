extern "C" __global__ void moments(
 const float* x, const float* y, const float* z, const float* mass,
 float* out, unsigned int n) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < n)
 out[i] = mass[i] * (x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);
}
__host__ __device__ float expected(
 const float* x, const float* y, const float* z, const float* mass,
 unsigned int i) {
 return mass[i] * (x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);
}
