1313
extern "C" __global__ void rotate(const int* data, int* out) {
 __shared__ int tile[32];
 unsigned int t = threadIdx.x;
 unsigned int i = blockIdx.x * blockDim.x + t;
 tile[t] = data[i];
 out[i] = tile[(t + 1) % 32]; 
}
__host__ __device__ int expected(const int* data, unsigned int i) {
 return data[i / 32 * 32 + (i + 1) % 32];
}
