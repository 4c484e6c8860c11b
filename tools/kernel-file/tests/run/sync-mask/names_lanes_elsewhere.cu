//@ input out: int[n] = iota
//@ launch half(out) grid = 1, block = 32
//@ page 32

__global__ void half(int* out) {
  int t = threadIdx.x, v = t;
  if (t < 16) v = __shfl_xor_sync(0xffffffff, v, 1);
  out[t] = v;
}
