extern "C" __global__ void reduce(int* data, int* out, unsigned int n) {
 unsigned int t = threadIdx.x;
 unsigned int start = blockIdx.x * blockDim.x;
 unsigned int count = min(blockDim.x, n - start); 
 int* tile = data + start;
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
 for (unsigned int k = i * 128; k < n && k < (i + 1) * 128; k++)
 sum += data[k];
 return sum;
}
