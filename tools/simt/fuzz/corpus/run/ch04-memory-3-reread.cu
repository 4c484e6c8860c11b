1313
extern "C" __global__ void reread(
 const int4* data, int* sums, unsigned int vectors, unsigned int rounds) {
 unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
 unsigned int threads = gridDim.x * blockDim.x;
 int sum = 0;
 for (unsigned int round = 0; round < rounds; round++) {
#pragma unroll 4
 for (unsigned int i = thread; i < vectors; i += threads) {
 int4 v = __ldcg(data + i);
 sum += v.x + v.y + v.z + v.w;
 }
 }
 sums[thread] = sum;
}
__host__ __device__ int expected(
 const int* data, unsigned int n, unsigned int i) {
 int sum = 0;
 for (unsigned int k = i; k < n; k += 1024)
 sum += data[4 * k] + data[4 * k + 1] + data[4 * k + 2] + data[4 * k + 3];
 return 3 * sum;
}
