2437
extern "C" __global__ void reduce(int* data, int* out, unsigned int n) {
 unsigned int t = threadIdx.x;
 unsigned int start = blockIdx.x * blockDim.x * 8;
 unsigned int count = min(blockDim.x * 8, n - start); 
 int* tile = data + start;
 int sum = 0;
#pragma unroll
 for (unsigned int k = 0; k < 8; k++) {
 unsigned int i = t + k * blockDim.x;
 sum += i < count ? tile[i] : 0;
 }
 if (t < count)
 tile[t] = sum;
 __syncthreads();
 for (unsigned int stride = blockDim.x / 2; stride > 32; stride /= 2) {
 if (t < stride && t + stride < count)
 tile[t] += tile[t + stride];
 __syncthreads();
 }
 if (t < 32) {
 volatile int* last = tile;
 last[t] += last[t + 32]; 
 last[t] += last[t + 16]; 
 last[t] += last[t + 8]; 
 last[t] += last[t + 4]; 
 last[t] += last[t + 2]; 
 last[t] += last[t + 1]; 
 }
 if (t == 0)
 out[blockIdx.x] = tile[0];
}
__host__ __device__ int expected(const int* data, unsigned int n, unsigned int i) {
 int sum = 0;
 for (unsigned int k = i * 4096; k < n && k < (i + 1) * 4096; k++)
 sum += data[k];
 return sum;
}
