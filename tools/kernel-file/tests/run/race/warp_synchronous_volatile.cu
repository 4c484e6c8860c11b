//@ input in: int[n] = iota
//@ input out: int[n] = iota
//@ launch reduce(in, out) grid = 1, block = 32
//@ page 64

__global__ void reduce(const int* in, int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  s[t + 32] = in[t + 32];
  __syncwarp();
  volatile int* v = s;
  v[t] += v[t + 16];
  v[t] += v[t + 8];
  if (t == 0) out[0] = v[0];
}
