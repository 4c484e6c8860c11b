//@ input out: int[n] = iota
//@ launch map(out, n) grid = 1, block = 64
//@ page 50

__global__ void map(int* out, int n) {
  int t = threadIdx.x;
  if (t >= n) return;
  out[t] = t;
  __syncthreads();
  out[t] += 1;
}
