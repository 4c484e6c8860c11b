//! One dynamic array, cut into three.
//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch carved(in, out) grid = 1, block = n, shared = 12 * n
//@ test 64
//@ page 128

__global__ void carved(const int* in, int* out) {
    extern __shared__ int all[];
    int n = blockDim.x, t = threadIdx.x;
    int* left = all;
    float* middle = (float*)&all[n];
    int* right = (int*)&middle[n];
    left[t] = in[t];
    middle[t] = (float)t;
    right[n - 1 - t] = t;
    __syncthreads();
    out[t] = left[n - 1 - t] + (int)middle[n - 1 - t] + right[t];
}
