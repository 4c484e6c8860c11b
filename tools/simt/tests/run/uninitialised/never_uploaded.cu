// launch: copy <<<1, 32>>> 32
__global__ void copy(const int* raw, int* out) { out[threadIdx.x] = raw[threadIdx.x]; }
