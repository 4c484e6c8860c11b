//@ input data: int[n] = iota
//@ launch stride_too_small(data, n) grid = 3, block = 64
//@ test 500
//@ page 1000
//@ catch race

__global__ void stride_too_small(int* data, int n) {
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += 64) data[i] += 1; //~ race
}
