__device__ int warp_sum(int sum) {
#pragma unroll
 for (unsigned int distance = 16; distance > 0; distance /= 2)
 sum += __shfl_down_sync(0xffffffff, sum, distance);
 return sum;
}
extern "C" __global__ void reduce(const int* data, int* out, unsigned int n) {
 __shared__ int warps[16]; 
 unsigned int t = threadIdx.x;
 unsigned int start = blockIdx.x * blockDim.x * 16;
 unsigned int count = min(blockDim.x * 16, n - start); 
 const int* tile = data + start;
 int sum = 0;
#pragma unroll
 for (unsigned int k = 0; k < 16; k++) {
 unsigned int i = t + k * blockDim.x;
 sum += i < count ? tile[i] : 0;
 }
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
__host__ __device__ int expected(const int* data, unsigned int n, unsigned int i) {
 int sum = 0;
 for (unsigned int k = i * 8192; k < n && k < (i + 1) * 8192; k++)
 sum += data[k];
 return sum;
}
