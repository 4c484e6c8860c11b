//@ input in: int[n] = iota
//@ input out: int[n] = iota
//@ launch reduce(in, out, n) grid = 4, block = 128
//@ page 512

__global__ void reduce(const int* in, int* out, int n) {
  __shared__ int s[128];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int stride = 64; stride > 0; stride /= 2) {
    if (t < stride) s[t] += s[t + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
