__device__ int& choose(int* a, int* b, bool c) { if (c) return *a; return *b; }
__global__ void references(int* out) {
 choose(out, out + 1, out[2]) = 1;
}
