#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void halves(__half* p, float* f, half2* q, __nv_bfloat16* b, int n) {
 half h = p[0];
 h = h + 1.0f;
 f[0] = f[1] * h;
 f[0] += h;
 f[2] = h > 0.0f;
 f[3] = n ? h : 1.0f;
 h = b[0];
 half2 v = h;
 v = v * h;
 printf("%f", h);
 v.z = h;
 atomicAdd(p, h);
 h = h % h;
}
