3526
extern "C" __global__ void steps(unsigned int* out, unsigned int n) {
 unsigned int first = blockIdx.x * blockDim.x + threadIdx.x;
 unsigned int threads = gridDim.x * blockDim.x; 
 for (unsigned int i = first; i < n; i += threads) {
 unsigned int x = i;
 for (unsigned int k = 0; k < 256; k++)
 x = (x * 1664525u) ^ (x >> 15);
 out[i] = x;
 }
}
__host__ __device__ unsigned int expected(unsigned int i) {
 unsigned int x = i;
 for (unsigned int k = 0; k < 256; k++)
 x = (x * 1664525u) ^ (x >> 15);
 return x;
}
