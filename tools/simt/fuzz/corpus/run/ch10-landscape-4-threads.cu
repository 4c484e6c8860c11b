3526
__host__ __device__ float steps(float x, unsigned int n) {
#pragma unroll 16
 for (unsigned int s = 0; s < n; s++)
 x = x * 0.5f + 0.25f;
 return x;
}
extern "C" __global__ void chain(
 float* out, unsigned int threads, unsigned int n) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < threads)
 out[i] = steps((float)i, n);
}
__host__ __device__ float expected(unsigned int n, unsigned int i) {
 return steps((float)i, n);
}
