//@ input out: int[n] = iota
//@ launch shift(out) grid = 1, block = 32
//@ page 32

__global__ void shift(int* out) {
  __shared__ int s[33];
  int t = threadIdx.x;
  s[t] = t;
  out[t] = t > 0 ? s[t - 1] : 0;
}
