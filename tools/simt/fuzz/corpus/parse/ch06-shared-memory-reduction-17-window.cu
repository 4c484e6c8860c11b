extern "C" __global__ void window(const int* data, int* out, unsigned int n) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i >= n)
 return;
 int left = i > 0 ? data[i - 1] : 0;
 int right = i + 1 < n ? data[i + 1] : 0;
 out[i] = left + data[i] + right;
}
__host__ __device__ int expected(const int* data, unsigned int n, unsigned int i) {
 return (i > 0 ? data[i - 1] : 0) + data[i] + (i + 1 < n ? data[i + 1] : 0);
}
