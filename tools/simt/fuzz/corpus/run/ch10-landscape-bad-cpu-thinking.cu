2437
extern "C" __global__ void total(
 const int* data, int* sum, unsigned int n) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < n)
 sum[0] += data[i]; 
}
__host__ __device__ int expected_part(
 const int* data, unsigned int n, unsigned int i,
 unsigned int part, unsigned int parts) {
 int total = 0;
 for (unsigned int k = part; k < n; k += parts)
 total += data[k];
 return total;
}
