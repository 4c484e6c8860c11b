extern "C" __global__ void rows(const int* data, int* out, unsigned int n) {
 __shared__ int tile[4][32][33];
 unsigned int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
 unsigned int start = (blockIdx.x * 4 + warp) * 1024;
#pragma unroll 8
 for (unsigned int r = 0; r < 32; r++) {
 unsigned int i = start + r * 32 + lane;
 tile[warp][r][lane] = i < n ? data[i] : 0;
 }
 __syncwarp();
 int sum = 0;
#pragma unroll
 for (unsigned int c = 0; c < 32; c++)
 sum += tile[warp][lane][c];
 unsigned int row = start / 32 + lane;
 if (row * 32 < n)
 out[row] = sum;
}
__host__ __device__ int expected(const int* data, unsigned int n, unsigned int i) {
 int sum = 0;
 for (unsigned int k = i * 32; k < n && k < (i + 1) * 32; k++)
 sum += data[k];
 return sum;
}
