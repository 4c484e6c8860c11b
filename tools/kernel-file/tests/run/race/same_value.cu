//@ input flag: int[n] = iota
//@ launch raise(flag) grid = 1, block = 32
//@ page 1

__global__ void raise(int* flag) { flag[0] = 1; }
