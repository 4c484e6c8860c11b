extern "C" __global__ void rotate(const int* data, int* out) {
 __shared__ int tile[16];
 unsigned int t = threadIdx.x;
 unsigned int i = blockIdx.x * blockDim.x + t;
 int mine = data[i];
 if (t < 16) {
 tile[t] = mine;
 __syncwarp(0xffffffff); 
 mine = tile[(t + 1) % 16];
 }
 out[i] = mine;
}
__host__ __device__ int expected(const int* data, unsigned int i) {
 return i % 32 < 16 ? data[i / 32 * 32 + (i + 1) % 16] : data[i];
}
