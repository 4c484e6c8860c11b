0502
__host__ __device__ float chains(float x, int rounds) {
 float a = x, b = x + 1, c = x + 2, d = x + 3;
 for (int r = 0; r < rounds; r++) {
 a = a * 0.500f + 0.125f;
 b = b * 0.500f + 0.250f;
 c = c * 0.500f + 0.375f;
 d = d * 0.500f + 0.500f;
 }
 return (a + b) + (c + d);
}
extern "C" __global__ void rate(
 const float* x, float* y, unsigned int n, int rounds) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < n)
 y[i] = chains(x[i], rounds);
}
__host__ __device__ float expected(
 const float* x, int rounds, unsigned int i) {
 return chains(x[i], rounds);
}
