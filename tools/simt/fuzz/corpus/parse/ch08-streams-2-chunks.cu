__host__ __device__ float turn(float x, int rounds) {
 for (int r = 0; r < rounds; r++)
 x = x * 0.5f + 0.25f;
 return x;
}
extern "C" __global__ void work(
 float* data, unsigned int first, unsigned int end, int rounds) {
 unsigned int i = first + blockIdx.x * blockDim.x + threadIdx.x;
 if (i < end)
 data[i] = turn(data[i], rounds);
}
__host__ __device__ float expected(
 const float* data, int rounds, unsigned int i) {
 return turn(data[i], rounds);
}
