extern "C" __global__ void reduce(int* data, int* out, unsigned int n) {
 unsigned int t = threadIdx.x;
 unsigned int start = blockIdx.x * blockDim.x;
 unsigned int count = min(blockDim.x, n - start); 
 int* tile = data + start;
 for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
 unsigned int i = 2 * stride * t;
 if (i + stride < count)
 tile[i] += tile[i + stride];
 __syncthreads();
 }
 if (t == 0)
 out[blockIdx.x] = tile[0];
}
__host__ __device__ int expected(const int* data, unsigned int n, unsigned int i) {
 int sum = 0;
 for (unsigned int k = i * 512; k < n && k < (i + 1) * 512; k++)
 sum += data[k];
 return sum;
}
