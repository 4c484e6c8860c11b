extern "C" __global__ void reduce(const float* data, float* out, unsigned int n) {
 __shared__ float tile[512];
 unsigned int t = threadIdx.x;
 unsigned int i = blockIdx.x * blockDim.x + t;
 tile[t] = i < n ? data[i] : 0.0f;
 __syncthreads();
 for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
 if (t % (2 * stride) == 0)
 tile[t] += tile[t + stride];
 __syncthreads();
 }
 if (t == 0)
 out[blockIdx.x] = tile[0];
}
__host__ __device__ float expected(
 const float* data, unsigned int n, unsigned int i) {
 double sum = 0;
 for (unsigned int k = i * 512; k < n && k < (i + 1) * 512; k++)
 sum += data[k];
 return (float)sum;
}
