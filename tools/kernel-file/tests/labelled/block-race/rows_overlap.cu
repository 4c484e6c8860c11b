//@ input data: int[n * 32] = iota
//@ launch rows_overlap(data, n) grid = n, block = 33
//@ test 4
//@ page 16
//@ catch race

__global__ void rows_overlap(int* data, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i < n * 32) data[i] = blockIdx.x; //~ race
}
