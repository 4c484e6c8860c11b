extern "C" __global__ void gather(const int* in, int* out, unsigned int lap,
 unsigned int stride) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < lap)
 out[blockIdx.y * lap + i] = in[i * stride + blockIdx.y];
}
__host__ __device__ int expected(
 const int* in, unsigned int lap, unsigned int stride, unsigned int i) {
 return in[i % lap * stride + i / lap];
}
