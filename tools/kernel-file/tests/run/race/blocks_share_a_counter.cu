//@ input sum: int[n] = iota
//@ launch count(sum) grid = 4, block = 1
//@ page 4

__global__ void count(int* sum) { sum[0] += 1; }
