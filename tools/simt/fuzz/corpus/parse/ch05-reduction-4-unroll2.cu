extern "C" __global__ void reduce(int* data, int* out, unsigned int n) {
 unsigned int t = threadIdx.x;
 unsigned int start = blockIdx.x * blockDim.x * 2;
 unsigned int count = min(blockDim.x * 2, n - start); 
 int* tile = data + start;
 if (t + blockDim.x < count)
 tile[t] += tile[t + blockDim.x];
 __syncthreads();
 for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
 if (t < stride && t + stride < count)
 tile[t] += tile[t + stride];
 __syncthreads();
 }
 if (t == 0)
 out[blockIdx.x] = tile[0];
}
__host__ __device__ int expected(const int* data, unsigned int n, unsigned int i) {
 int sum = 0;
 for (unsigned int k = i * 1024; k < n && k < (i + 1) * 1024; k++)
 sum += data[k];
 return sum;
}
