//@ input data: int[n] = iota
//@ launch grid_stride(data, n) grid = 3, block = 64
//@ test 500
//@ page 1000

__global__ void grid_stride(int* data, int n) {
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) data[i] += 1;
}
