//! The same with its barrier: the promised race is gone, and the file must say so.
//@ input  data: int[n] = iota
//@ output out: int[n] = poison
//@ launch shift(data, out, n) grid = 1, block = n
//@ page 128
//@ catch race

extern "C" __global__ void shift(int* data, int* out, int n) {
    int i = threadIdx.x;
    data[i] = 2 * i;
    __syncthreads();
    out[i] = data[n - 1 - i];  //~ race
}
