#include <cuda_fp16.h>
__global__ void halves(const __half* in, __half* out, half2* pairs, float alpha, int n) {
 int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < n) out[i] = __float2half(alpha * __half2float(in[i]));
 half2 v = pairs[i], sum = __float2half2_rn(0.0f);
 sum = __hfma2(v, v, sum);
 sum.x += v.y;
 pairs[i] = sum;
}
