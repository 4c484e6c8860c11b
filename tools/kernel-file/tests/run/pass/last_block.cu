//@ input in: int[n] = iota
//@ input part: int[n] = iota
//@ input out: int[n] = iota
//@ launch total(in, part, out) grid = 4, block = 32
//@ page 128

__device__ unsigned int ticket;
__global__ void total(const int* in, int* part, int* out) {
  __shared__ bool last;
  int v = __reduce_add_sync(0xffffffff, in[blockIdx.x * 32 + threadIdx.x]);
  if (threadIdx.x == 0) {
    part[blockIdx.x] = v;
    __threadfence();
    last = atomicAdd(&ticket, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
    for (int b = 0; b < gridDim.x; b++) sum += part[b];
    out[0] = sum;
  }
}
