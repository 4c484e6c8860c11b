__global__ void half(int* out) {
 int t = threadIdx.x;
 if (t < 16) {
 __syncthreads();
 out[t] = t;
 }
}
