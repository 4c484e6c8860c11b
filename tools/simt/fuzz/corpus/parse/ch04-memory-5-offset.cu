extern "C" __global__ void copy(const int* in, int* out, unsigned int n,
 unsigned int offset) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < n)
 out[i] = in[i + offset];
}
__host__ __device__ int expected(
 const int* in, unsigned int offset, unsigned int i) {
 return in[i + offset];
}
