//@ input out: int[n] = iota
//@ launch sides(out) grid = 1, block = 64
//@ page 64

__global__ void sides(int* out) {
  if (threadIdx.x < 32) {
    out[threadIdx.x] = 0;
    __syncthreads();
  } else {
    __syncthreads();
    out[threadIdx.x] = 1;
  }
}
