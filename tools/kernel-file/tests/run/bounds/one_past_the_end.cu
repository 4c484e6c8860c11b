//@ input in: float[n] = iota
//@ input out: float[n] = iota
//@ launch copy(in, out) grid = 2, block = 64
//@ page 100

__global__ void copy(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
