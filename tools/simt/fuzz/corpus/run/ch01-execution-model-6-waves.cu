1313
extern "C" __global__ void busy(unsigned int* out, unsigned int steps) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 unsigned int x = i;
 for (unsigned int k = 0; k < steps; k++)
 x = (x * 1664525u) ^ (x >> 15);
 out[i] = x;
}
__host__ __device__ unsigned int expected(unsigned int n, unsigned int i) {
 unsigned int x = i;
 for (unsigned int k = 0; k < n; k++)
 x = (x * 1664525u) ^ (x >> 15);
 return x;
}
