__device__ int warp_sum(int sum) {
#pragma unroll
 for (unsigned int distance = 16; distance > 0; distance /= 2)
 sum += __shfl_down_sync(0xffffffff, sum, distance);
 return sum;
}
extern "C" __global__ void reduce(const int* data, int* out, unsigned int n) {
 __shared__ int warps[16]; 
 unsigned int t = threadIdx.x;
 unsigned int step = gridDim.x * blockDim.x;
 int sum = 0;
#pragma unroll 8
 for (unsigned int i = blockIdx.x * blockDim.x + t; i < n; i += step)
 sum += data[i];
 sum = warp_sum(sum);
 if (t % 32 == 0)
 warps[t / 32] = sum;
 __syncthreads();
 if (t < 32) {
 sum = warp_sum(t < 16 ? warps[t] : 0);
 if (t == 0)
 out[blockIdx.x] = sum;
 }
}
__host__ __device__ int expected(
 const int* data, unsigned int n, unsigned int blocks, unsigned int i) {
 int sum = 0;
 for (unsigned int first = i * 512; first < n; first += blocks * 512)
 for (unsigned int k = first; k < n && k < first + 512; k++)
 sum += data[k];
 return sum;
}
