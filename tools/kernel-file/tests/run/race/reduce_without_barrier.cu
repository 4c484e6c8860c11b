//@ input in: int[n] = iota
//@ input out: int[n] = iota
//@ launch reduce(in, out) grid = 1, block = 128
//@ page 128

__global__ void reduce(const int* in, int* out) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int stride = 64; stride > 0; stride /= 2) {
    if (t < stride) s[t] += s[t + stride];
  }
  if (t == 0) out[0] = s[0];
}
