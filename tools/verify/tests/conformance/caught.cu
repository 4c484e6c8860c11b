//! A defective file that keeps its promise: the race is found at its line.
//@ input  data: int[n] = iota
//@ output out: int[n] = poison
//@ launch shift(data, out, n) grid = 1, block = n
//@ page 128
//@ catch race

extern "C" __global__ void shift(int* data, int* out, int n) {
    int i = threadIdx.x;
    data[i] = 2 * i;
    out[i] = data[n - 1 - i];  //~ race
}
