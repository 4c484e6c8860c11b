extern "C" __global__ void who(int* block, int* thread, int width, int height) {
 int x = blockIdx.x * blockDim.x + threadIdx.x; 
 int y = blockIdx.y * blockDim.y + threadIdx.y; 
 if (x < width && y < height) {
 int i = y * width + x;
 block[i] = blockIdx.y * gridDim.x + blockIdx.x;
 thread[i] = threadIdx.y * blockDim.x + threadIdx.x;
 }
}
__host__ __device__ int expected_block(
 unsigned int n, int across, unsigned int i) {
 return (i / n / 4) * across + i % n / 16;
}
__host__ __device__ int expected_thread(unsigned int n, unsigned int i) {
 return (i / n % 4) * 16 + i % n % 16;
}
