__global__ void copy(const int* raw, int* out) { out[threadIdx.x] = raw[threadIdx.x]; }
