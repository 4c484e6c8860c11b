2437
__host__ __device__ float chains(float x, int rounds) {
 float a = x, b = x + 0.25f, c = x + 0.5f, d = x + 0.75f;
 for (int r = 0; r < rounds; r++) {
 a = a * 0.5f + 0.125f;
 b = b * 0.5f + 0.250f;
 c = c * 0.5f + 0.375f;
 d = d * 0.5f + 0.500f;
 }
 return (a + b) + (c + d);
}
extern "C" __global__ void burn(
 const float* x, float* y, unsigned int n, int rounds) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < n)
 y[i] = chains(x[i], rounds);
}
__host__ __device__ float expected(
 const float* x, int rounds, unsigned int i) {
 return chains(x[i], rounds);
}
