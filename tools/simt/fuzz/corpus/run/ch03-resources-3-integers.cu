3526
__host__ __device__ unsigned int run(unsigned int start) {
 unsigned int x[4];
#pragma unroll
 for (unsigned int c = 0; c < 4; c++)
 x[c] = start + c;
 unsigned int factor = 2 * start + 1;
#pragma unroll 8
 for (int k = 0; k < 2048 / 4; k++) {
#pragma unroll
 for (int c = 0; c < 4; c++)
 x[c] = x[c] * factor + start;
 }
 return x[0] + x[1] + x[2] + x[3];
}
extern "C" __global__ void work(
 const unsigned int* start, unsigned int* out, unsigned int n) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < n)
 out[i] = run(start[i]);
}
__host__ __device__ unsigned int expected(
 const unsigned int* start, unsigned int i) {
 return run(start[i]);
}
