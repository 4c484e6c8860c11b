__global__ void raise(int* flag) { flag[0] = 1; }
