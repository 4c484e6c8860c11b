extern "C" __global__ void window(const int* data, int* out, unsigned int n) {
 __shared__ int tile[258]; 
 unsigned int t = threadIdx.x;
 unsigned int i = blockIdx.x * blockDim.x + t;
 tile[t + 1] = i < n ? data[i] : 0;
 if (t == 0)
 tile[0] = i > 0 ? data[i - 1] : 0;
 if (t == 255)
 tile[257] = i + 1 < n ? data[i + 1] : 0;
 __syncthreads();
 if (i < n)
 out[i] = tile[t] + tile[t + 1] + tile[t + 2];
}
__host__ __device__ int expected(const int* data, unsigned int n, unsigned int i) {
 return (i > 0 ? data[i - 1] : 0) + data[i] + (i + 1 < n ? data[i + 1] : 0);
}
