//@ input out: int[n] = iota
//@ launch sum(out) grid = 1, block = 32
//@ page 32

__global__ void sum(int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  out[t] = s[t + 16];
}
