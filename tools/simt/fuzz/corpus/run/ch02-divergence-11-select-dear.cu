0502
__host__ __device__ unsigned int up(unsigned int x, unsigned int steps) {
 for (unsigned int k = 0; k < steps; k++)
 x = (x * 1664525u) ^ (x >> 15);
 return x;
}
__host__ __device__ unsigned int down(unsigned int x, unsigned int steps) {
 for (unsigned int k = 0; k < steps; k++)
 x = (x * 22695477u) ^ (x >> 13);
 return x;
}
extern "C" __global__ void choose(
 unsigned int* out, unsigned int group, unsigned int steps, unsigned int n) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < n) {
 unsigned int a = up(i, steps), b = down(i, steps);
 out[i] = (i / group) % 2 == 0 ? a : b;
 }
}
__host__ __device__ unsigned int expected(
 unsigned int group, unsigned int steps, unsigned int i) {
 return (i / group) % 2 == 0 ? up(i, steps) : down(i, steps);
}
