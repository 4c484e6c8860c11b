const unsigned int TILE = 16;
__device__ float at(
 const float* x, unsigned int row, unsigned int col, unsigned int rows,
 unsigned int cols) {
 return row < rows && col < cols ? x[row * cols + col] : 0.0f;
}
extern "C" __global__ void matmul(
 const float* a, const float* b, float* c,
 unsigned int rows, unsigned int cols, unsigned int depth) {
 __shared__ float as[TILE][TILE], bs[TILE][TILE];
 unsigned int x = threadIdx.x, y = threadIdx.y;
 unsigned int row = blockIdx.y * TILE + y;
 unsigned int col = blockIdx.x * TILE + x;
 float sum = 0;
 for (unsigned int first = 0; first < depth; first += TILE) {
 as[y][x] = at(a, row, first + x, rows, depth);
 bs[y][x] = at(b, first + y, col, depth, cols);
 __syncthreads();
 for (unsigned int k = 0; k < TILE; k++)
 sum += as[y][k] * bs[k][x];
 __syncthreads();
 }
 if (row < rows && col < cols)
 c[row * cols + col] = sum;
}
__host__ __device__ float expected(
 const float* a, const float* b, unsigned int cols, unsigned int depth,
 unsigned int i) {
 unsigned int row = i / cols, col = i % cols;
 double sum = 0;
 for (unsigned int k = 0; k < depth; k++)
 sum += (double)a[row * depth + k] * b[k * cols + col];
 return (float)sum;
}
