//! Thirty-two threads set bits of one word.
//@ input in: int[n] = iota
//@ scratch flags: unsigned[n / 32] = zero
//@ launch bits(in, flags) grid = 1, block = n
//@ test 64
//@ page 256
//@ catch race

__global__ void bits(const int* in, unsigned* flags) {
    int t = threadIdx.x;
    if (in[t] % 2) flags[t / 32] |= 1u << (t % 32); //~ race
}
