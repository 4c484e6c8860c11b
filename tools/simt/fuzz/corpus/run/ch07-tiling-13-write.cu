0502
extern "C" __global__ void transpose(const float* in, float* out, unsigned int n) {
 unsigned int x = blockIdx.x * 32 + threadIdx.x;
 unsigned int y = blockIdx.y * 32 + threadIdx.y;
 if (x < n && y < n)
 out[y * n + x] = in[x * n + y];
}
__host__ __device__ float expected(
 const float* in, unsigned int n, unsigned int i) {
 return in[i % n * n + i / n];
}
