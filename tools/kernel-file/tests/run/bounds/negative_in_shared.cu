//@ input out: int[n] = iota
//@ launch shift(out) grid = 1, block = 32
//@ page 32

__global__ void shift(int* out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  out[t] = s[t - 1];
}
