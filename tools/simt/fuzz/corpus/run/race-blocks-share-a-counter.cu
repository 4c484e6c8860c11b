0502
__global__ void count(int* sum) { sum[0] += 1; }
