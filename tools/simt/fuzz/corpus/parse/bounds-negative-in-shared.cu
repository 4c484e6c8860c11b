__global__ void shift(int* out) {
 __shared__ int s[32];
 int t = threadIdx.x;
 s[t] = t;
 __syncthreads();
 out[t] = s[t - 1];
}
