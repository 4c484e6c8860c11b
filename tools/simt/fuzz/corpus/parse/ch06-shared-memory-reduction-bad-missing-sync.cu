extern "C" __global__ void reduce(const int* data, int* out, unsigned int n) {
 __shared__ int tile[128];
 unsigned int t = threadIdx.x;
 unsigned int i = blockIdx.x * blockDim.x + t;
 tile[t] = i < n ? data[i] : 0; 
 for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
 if (t < stride)
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
