//@ input data: char[n] = iota
//@ launch bytes(data) grid = 1, block = n
//@ test 64
//@ page 256

__global__ void bytes(char* data) { data[threadIdx.x] = data[threadIdx.x] + 1; }
