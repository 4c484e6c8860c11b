//! Who has not written it reads the one or the other.
//@ scratch any: int[1] = zero
//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch set_by_some_and_read(any, in, out) grid = 1, block = n
//@ test 64
//@ page 256
//@ catch race

__global__ void set_by_some_and_read(int* any, const int* in, int* out) {
    if (in[threadIdx.x] % 2 == 0) any[0] = 1;
    out[threadIdx.x] = any[0]; //~ race
}
