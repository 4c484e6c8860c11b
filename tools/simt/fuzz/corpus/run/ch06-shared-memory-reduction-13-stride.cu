3526
const unsigned int WORDS = 1280; 
extern "C" __global__ void walk(
 const int* data, int* out, unsigned int n, unsigned int stride) {
 __shared__ int tile[WORDS];
 for (unsigned int k = threadIdx.x; k < WORDS; k += blockDim.x)
 tile[k] = data[k % n];
 __syncthreads();
 unsigned int first = threadIdx.x % 32 * stride;
 int sum = 0;
#pragma unroll
 for (unsigned int k = 0; k < 256; k++)
 sum += tile[first + k];
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < n)
 out[i] = sum;
}
__host__ __device__ int expected(
 const int* data, unsigned int n, unsigned int stride, unsigned int i) {
 int sum = 0;
 for (unsigned int k = 0; k < 256; k++)
 sum += data[(i % 32 * stride + k) % n];
 return sum;
}
