1313
__device__ float at(
 const float* x, unsigned int row, unsigned int col, unsigned int n) {
 return row < n && col < n ? x[row * n + col] : 0.0f;
}
const unsigned int ROWS = 64, COLS = 64; 
const unsigned int DEPTH = 8; 
const unsigned int MINE = 8; 
extern "C" __global__ void matmul(
 const float* a, const float* b, float* c, unsigned int n) {
 __shared__ float as[ROWS][DEPTH], bs[DEPTH][COLS];
 unsigned int t = threadIdx.x;
 unsigned int top = blockIdx.y * ROWS, left = blockIdx.x * COLS;
 unsigned int row = t / COLS * MINE, col = t % COLS; 
 float sum[MINE] = {};
 for (unsigned int first = 0; first < n; first += DEPTH) {
 as[t / DEPTH][t % DEPTH] = at(a, top + t / DEPTH, first + t % DEPTH, n);
 bs[t / COLS][t % COLS] = at(b, first + t / COLS, left + t % COLS, n);
 __syncthreads();
 for (unsigned int k = 0; k < DEPTH; k++) {
 float right = bs[k][col];
 for (unsigned int r = 0; r < MINE; r++)
 sum[r] += as[row + r][k] * right;
 }
 __syncthreads();
 }
 for (unsigned int r = 0; r < MINE; r++)
 if (top + row + r < n && left + col < n)
 c[(top + row + r) * n + left + col] = sum[r];
}
__host__ __device__ float expected(
 const float* a, const float* b, unsigned int n, unsigned int i) {
 unsigned int row = i / n, col = i % n;
 double sum = 0;
 for (unsigned int k = 0; k < n; k++)
 sum += (double)a[row * n + k] * b[k * n + col];
 return (float)sum;
}
