0502
extern "C" __global__ void look_up(
 const int* __restrict__ table, int* out, unsigned int n,
 unsigned int spread) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 unsigned int first = i % spread;
 int sum = 0;
#pragma unroll 8
 for (unsigned int k = 0; k < 64; k++)
 sum = 3 * sum + table[(first + k) % 32];
 if (i < n)
 out[i] = sum;
}
__host__ __device__ int expected(
 const int* table, unsigned int spread, unsigned int i) {
 int sum = 0;
 for (unsigned int k = 0; k < 64; k++)
 sum = 3 * sum + table[(i % spread + k) % 32];
 return sum;
}
