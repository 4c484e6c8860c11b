//@ input in: int[n] = iota
//@ scratch any: int[1] = zero
//@ launch same_value(in, any) grid = 1, block = n
//@ test 64
//@ page 256

__global__ void same_value(const int* in, int* any) {
    if (in[threadIdx.x] % 5 == 0) any[0] = 1;
}
