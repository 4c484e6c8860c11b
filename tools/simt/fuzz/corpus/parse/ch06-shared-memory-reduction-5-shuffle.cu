__device__ int warp_sum(int sum) {
#pragma unroll
 for (unsigned int distance = 16; distance > 0; distance /= 2)
 sum += __shfl_down_sync(0xffffffff, sum, distance);
 return sum;
}
extern "C" __global__ void reduce(const int* data, int* out, unsigned int n) {
 __shared__ int warps[4]; 
 unsigned int t = threadIdx.x;
 unsigned int i = blockIdx.x * blockDim.x * 4 + t;
 int sum = 0;
#pragma unroll
 for (unsigned int k = 0; k < 4; k++, i += blockDim.x)
 sum += i < n ? data[i] : 0;
 sum = warp_sum(sum);
 if (t % 32 == 0)
 warps[t / 32] = sum;
 __syncthreads();
 if (t == 0)
 out[blockIdx.x] = warps[0] + warps[1] + warps[2] + warps[3];
}
__host__ __device__ int expected(const int* data, unsigned int n, unsigned int i) {
 int sum = 0;
 for (unsigned int k = i * 512; k < n && k < (i + 1) * 512; k++)
 sum += data[k];
 return sum;
}
