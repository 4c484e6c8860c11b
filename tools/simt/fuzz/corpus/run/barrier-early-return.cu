1313
__global__ void map(int* out, int n) {
 int t = threadIdx.x;
 if (t >= n) return;
 out[t] = t;
 __syncthreads();
 out[t] += 1;
}
