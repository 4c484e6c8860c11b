2437
extern "C" __global__ void steps(unsigned int* out) {
 unsigned int thread = threadIdx.y * blockDim.x + threadIdx.x;
 unsigned int i = blockIdx.x * (blockDim.x * blockDim.y) + thread;
 unsigned int x = i;
 for (unsigned int k = 0; k < 256; k++)
 x = (x * 1664525u) ^ (x >> 15);
 out[i] = x;
}
__host__ __device__ unsigned int expected(unsigned int i) {
 unsigned int x = i;
 for (unsigned int k = 0; k < 256; k++)
 x = (x * 1664525u) ^ (x >> 15);
 return x;
}
