extern "C" __global__ void transpose(const float* in, float* out, unsigned int n) {
 __shared__ float tile[32][33];
 unsigned int tx = threadIdx.x, ty = threadIdx.y;
 unsigned int left = blockIdx.x * 32, top = blockIdx.y * 32;
#pragma unroll
 for (unsigned int r = ty; r < 32; r += 8)
 if (left + tx < n && top + r < n)
 tile[r][tx] = in[(top + r) * n + left + tx];
 __syncthreads();
#pragma unroll
 for (unsigned int r = ty; r < 32; r += 8)
 if (top + tx < n && left + r < n)
 out[(left + r) * n + top + tx] = tile[tx][r];
}
__host__ __device__ float expected(
 const float* in, unsigned int n, unsigned int i) {
 return in[i % n * n + i / n];
}
