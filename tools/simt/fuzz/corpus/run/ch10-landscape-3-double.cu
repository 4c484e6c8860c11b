1313
__host__ __device__ double chains(double x, int rounds) {
 double a = x, b = x + 1, c = x + 2, d = x + 3;
 for (int r = 0; r < rounds; r++) {
 a = a * 0.500 + 0.125;
 b = b * 0.500 + 0.250;
 c = c * 0.500 + 0.375;
 d = d * 0.500 + 0.500;
 }
 return (a + b) + (c + d);
}
extern "C" __global__ void rate(
 const double* x, double* y, unsigned int n, int rounds) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < n)
 y[i] = chains(x[i], rounds);
}
__host__ __device__ double expected(
 const double* x, int rounds, unsigned int i) {
 return chains(x[i], rounds);
}
