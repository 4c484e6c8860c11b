2437
__global__ void raise(int* flag) { flag[0] = 1; }
