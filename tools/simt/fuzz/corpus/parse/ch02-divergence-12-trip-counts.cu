__host__ __device__ unsigned int walk(unsigned int x, unsigned int rounds) {
 for (unsigned int k = 0; k < rounds * 8; k++)
 x = (x * 1664525u) ^ (x >> 15);
 return x;
}
extern "C" __global__ void rounds(
 unsigned int* out, unsigned int group, unsigned int n) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < n)
 out[i] = walk(i, (i / group) % 32 + 1);
}
__host__ __device__ unsigned int expected(unsigned int group, unsigned int i) {
 return walk(i, (i / group) % 32 + 1);
}
