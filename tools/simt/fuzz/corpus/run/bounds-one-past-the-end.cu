1313
__global__ void copy(const float* in, float* out) {
 int i = blockIdx.x * blockDim.x + threadIdx.x;
 out[i] = in[i];
}
