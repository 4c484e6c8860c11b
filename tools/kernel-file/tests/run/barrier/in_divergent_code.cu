//@ input out: int[n] = iota
//@ launch half(out) grid = 1, block = 64
//@ page 64

__global__ void half(int* out) {
  int t = threadIdx.x;
  if (t < 16) {
    __syncthreads();
    out[t] = t;
  }
}
