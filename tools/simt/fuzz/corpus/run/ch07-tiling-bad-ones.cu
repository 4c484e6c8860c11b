0502
extern "C" __global__ void matmul(
 const float* a, const float* b, float* c, unsigned int n) {
 unsigned int row = blockIdx.y * blockDim.y + threadIdx.y;
 unsigned int col = blockIdx.x * blockDim.x + threadIdx.x;
 if (row >= n || col >= n)
 return;
 float sum = 0;
 for (unsigned int k = 0; k < n; k++)
 sum += a[row * n + k] * b[col * n + k]; 
 c[row * n + col] = sum;
}
__host__ __device__ float expected(
 const float* a, const float* b, unsigned int n, unsigned int i) {
 unsigned int row = i / n, col = i % n;
 double sum = 0;
 for (unsigned int k = 0; k < n; k++)
 sum += (double)a[row * n + k] * b[k * n + col];
 return (float)sum;
}
