3526
extern "C" __global__ void handshake(int* flag, int* out) {
 int* mine = flag + blockIdx.x;
 if (threadIdx.x == 0) {
 while (atomicAdd(mine, 0) == 0) {
 }
 out[blockIdx.x] = blockIdx.x + 1;
 } else if (threadIdx.x == 1) {
 atomicExch(mine, 1);
 }
}
__host__ __device__ int expected(unsigned int i) { return i + 1; }
