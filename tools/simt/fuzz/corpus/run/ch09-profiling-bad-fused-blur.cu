3526
extern "C" __global__ void relu_blur(
 const float* x, float* cut, float* y, unsigned int n) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < n)
 cut[i] = max(x[i], 0.0f);
 __syncthreads();
 if (i < n) {
 float before = i > 0 ? cut[i - 1] : 0.0f; 
 float after = i + 1 < n ? cut[i + 1] : 0.0f; 
 y[i] = (before + cut[i] + after) / 3.0f;
 }
}
__host__ __device__ float expected(
 const float* x, unsigned int n, unsigned int i) {
 float before = i > 0 ? max(x[i - 1], 0.0f) : 0.0f;
 float after = i + 1 < n ? max(x[i + 1], 0.0f) : 0.0f;
 return (before + max(x[i], 0.0f) + after) / 3.0f;
}
