__host__ __device__ int odd(int x) {
 return 2 * x - 255;
}
__host__ __device__ int both(int a, int b) {
 return (int)((unsigned int)a * b);
}
extern "C" __global__ void begin(int* out) {
 out[0] = 1;
}
extern "C" __global__ void reduce(const int* data, int* out, unsigned int n) {
 __shared__ int warps[16]; 
 unsigned int t = threadIdx.x;
 unsigned int start = blockIdx.x * blockDim.x * 16;
 int value = 1;
#pragma unroll
 for (unsigned int k = 0; k < 16; k++) {
 unsigned int i = start + t + k * blockDim.x;
 value = both(value, i < n ? odd(data[i]) : 1);
 }
#pragma unroll
 for (unsigned int distance = 16; distance > 0; distance /= 2)
 value = both(value, __shfl_down_sync(0xffffffff, value, distance));
 if (t % 32 == 0)
 warps[t / 32] = value;
 __syncthreads();
 if (t == 0) {
 for (unsigned int warp = 1; warp < 16; warp++)
 value = both(value, warps[warp]);
 int seen = *(volatile int*)out, before;
 do {
 before = seen;
 seen = atomicCAS(out, before, both(before, value));
 } while (seen != before);
 }
}
__host__ __device__ int expected_part(
 const int* data, unsigned int n, unsigned int i, unsigned int part,
 unsigned int parts) {
 int value = 1;
 for (unsigned int k = part; k < n; k += parts)
 value = both(value, odd(data[k]));
 return value;
}
