extern "C" __global__ void reduce(const int* data, int* out, unsigned int n) {
 extern __shared__ int tile[];
 unsigned int t = threadIdx.x;
 unsigned int i = blockIdx.x * blockDim.x * 4 + t;
 int sum = 0;
#pragma unroll
 for (unsigned int k = 0; k < 4; k++, i += blockDim.x)
 sum += i < n ? data[i] : 0;
 tile[t] = sum;
 __syncthreads();
 for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
 if (t < stride)
 tile[t] += tile[t + stride];
 __syncthreads();
 }
 if (t == 0)
 out[threadIdx.x] = tile[0]; 
}
__host__ __device__ int expected(const int* data, unsigned int n, unsigned int i) {
 int sum = 0;
 for (unsigned int k = i * 512; k < n && k < (i + 1) * 512; k++)
 sum += data[k];
 return sum;
}
