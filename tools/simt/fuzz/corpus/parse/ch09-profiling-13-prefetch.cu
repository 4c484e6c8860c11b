__host__ __device__ float bend(float x) {
#pragma unroll
 for (int r = 0; r < 256; r++)
 x = x * 0.75f + 0.125f;
 return x;
}
extern "C" __global__ void sums(
 const float* data, float* out, unsigned int n) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 unsigned int step = gridDim.x * blockDim.x;
 float sum = 0.0f;
 float next = i < n ? data[i] : 0.0f;
#pragma unroll 1
 for (unsigned int k = i; k < n; k += step) {
 float now = next;
 if (k + step < n)
 next = data[k + step];
 sum += bend(now);
 }
 out[i] = sum;
}
__host__ __device__ float expected(
 const float* data, unsigned int n, unsigned int blocks,
 unsigned int i) {
 float sum = 0.0f;
 for (unsigned int k = i; k < n; k += 128 * blocks)
 sum += bend(data[k]);
 return sum;
}
