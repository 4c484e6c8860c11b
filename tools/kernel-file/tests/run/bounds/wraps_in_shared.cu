//@ input out: int[n] = iota
//@ launch wrap(out, 0) grid = 1, block = 32
//@ page 32

__global__ void wrap(int* out, unsigned u) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  int* p = s + 8;
  out[t] = p[~u];
}
