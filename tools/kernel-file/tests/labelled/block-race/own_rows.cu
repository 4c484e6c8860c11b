//@ input data: int[n * 32] = iota
//@ launch own_rows(data, n) grid = n, block = 32
//@ test 4
//@ page 16

__global__ void own_rows(int* data, int n) {
    for (int i = threadIdx.x; i < 32; i += 32) data[blockIdx.x * 32 + i] *= 2;
}
