extern "C" __global__ void transpose(const float* in, float* out, unsigned int n) {
 __shared__ float tile[32][33];
 unsigned int tx = threadIdx.x, ty = threadIdx.y;
 unsigned int left = blockIdx.x * 32, top = blockIdx.y * 32;
 if (left + tx < n && top + ty < n)
 tile[ty][tx] = in[(top + ty) * n + left + tx];
 __syncthreads();
 if (top + tx < n && left + ty < n)
 out[(left + ty) * n + top + tx] = tile[tx][ty];
}
__host__ __device__ float expected(
 const float* in, unsigned int n, unsigned int i) {
 return in[i % n * n + i / n];
}
