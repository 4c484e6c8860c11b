1313
extern "C" __global__ void math_kernel(float* c) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 float a = 0.0f, b = 0.0f;
 if ((i / warpSize) % 2 == 0)
 a = 100.0f;
 else
 b = 200.0f;
 c[i] = a + b;
}
__host__ __device__ float expected(unsigned int i) {
 return i / 32 % 2 == 0 ? 100.0f : 200.0f;
}
