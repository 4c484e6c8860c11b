//@ input in: int[n] = iota
//@ input out: int[n] = iota
//@ launch reduce(in, out) grid = 2, block = 96
//@ page 192

__global__ void reduce(const int* in, int* out) {
  __shared__ int partial[32];
  int t = threadIdx.x, v = in[blockIdx.x * blockDim.x + t];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (t % 32 == 0) partial[t / 32] = v;
  __syncthreads();
  if (t == 0) {
    int sum = 0;
    for (int w = 0; w < blockDim.x / 32; w++) sum += partial[w];
    out[blockIdx.x] = sum;
  }
}
