#include <cublas_v2.h>
__global__ void sum(float* out) { out[0] = 0; }
