//@ input in: int[n] = iota
//@ scratch any: int[1] = zero
//@ launch same_value(in, any) grid = n / 32, block = 32
//@ page 128

__global__ void same_value(const int* in, int* any) {
    if (in[blockIdx.x * 32 + threadIdx.x] % 32 == 5) any[0] = 1;
}
