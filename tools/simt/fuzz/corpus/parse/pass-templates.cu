#include <cstdint>
template <typename T> __device__ __forceinline__ T warp_sum(T v) {
#pragma unroll
 for (int offset = warpSize / 2; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
 return v;
}
template <int BLOCK, typename T> __device__ T block_sum(T v) {
 static_assert(BLOCK % 32 == 0, "whole warps");
 __shared__ T part[BLOCK / 32];
 const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
 v = warp_sum(v);
 if (lane == 0) part[warp] = v;
 __syncthreads();
 if constexpr (BLOCK > 32) {
 v = threadIdx.x < BLOCK / 32 ? part[lane] : T(0);
 if (warp == 0) v = warp_sum<T>(v);
 }
 return v;
}
__global__ void __launch_bounds__(256) sums(const int* __restrict__ in, int* out, unsigned int n) {
 int v = 0;
 for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += __ldg(&in[i]);
 v = block_sum<256>(v);
 if (threadIdx.x == 0) atomicAdd(out, v);
}
__host__ __device__ int expected(const int* in, unsigned int n, unsigned int i) {
 int sum = 0;
 for (unsigned int k = 0; k < n; ++k) sum += in[k];
 return sum;
}
