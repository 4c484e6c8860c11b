__global__ void missing(int* out) {
 int i = threadIdx.x
 out[i] = 1;
 out[i + 1 = 2;
 for (int k = 0; k < 3, ++k) out[k] = k;
 unknown_t x = 3;
 int class = 4;
}
