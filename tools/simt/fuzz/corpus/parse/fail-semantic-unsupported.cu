__device__ auto down(int n) { return n == 0 ? 0 : down(n - 1); }
__host__ int host(int n) { return n; }
__global__ void unsupported(float* f, int* out) {
 out[0] = down(3);
 f[0] = erfinvf(f[1]);
 out[1] = __shfl_down(1, 2);
 out[2] = host(3);
 __shared__ int big[100000];
 out[3] = remquof(f[0], f[0], out);
}
