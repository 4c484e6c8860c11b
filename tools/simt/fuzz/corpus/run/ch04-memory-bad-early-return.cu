0502
extern "C" __global__ void pairs(const int* data, int* out, unsigned int n,
 unsigned int distance) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i >= n)
 return;
 int sum = data[i];
 if (threadIdx.x < distance)
 sum += data[i + distance]; 
 out[i] = sum;
}
__host__ __device__ int expected(
 const int* data, unsigned int n, unsigned int i) {
 return i % 256 < 128 && i + 128 < n ? data[i] + data[i + 128] : data[i];
}
