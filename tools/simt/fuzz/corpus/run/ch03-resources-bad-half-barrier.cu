0502
extern "C" __global__ void fold(const int* data, int* out) {
 __shared__ int tile[64];
 unsigned int t = threadIdx.x;
 unsigned int i = blockIdx.x * blockDim.x + t;
 tile[t] = data[i];
 int sum = tile[t];
 if (t < 32) {
 __syncthreads(); 
 sum += tile[t + 32];
 }
 __syncthreads(); 
 out[i] = sum;
}
__host__ __device__ int expected(const int* data, unsigned int i) {
 return i % 64 < 32 ? data[i] + data[i + 32] : data[i];
}
