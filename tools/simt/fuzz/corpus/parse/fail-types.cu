__device__ int twice(int x) { return 2 * x; }
__device__ float none(float x) { if (x > 0) return x; }
__global__ void types(const int* in, int* out, float* f) {
 in[0] = 1;
 int* p = in;
 float x = f;
 out[1.5f] = 2;
 out = f;
 int i = threadIdx.x;
 i.x = 3;
 out[thredIdx.x] = twice(1, 2);
 out[0] = twise(3);
 float4 v;
 v.q = 1.0f;
 out[0] = f % 2;
 const int k = 3;
 k = 4;
 float a[3];
 a = f;
 atomicAdd(&f[0], "no");
 atomicMin(&f[0], 1.0f);
}
