//@ input in: int[n] = iota
//@ scratch flags: unsigned[n / 32] = zero
//@ launch bits_atomic(in, flags) grid = 1, block = n
//@ test 64
//@ page 256

__global__ void bits_atomic(const int* in, unsigned* flags) {
    int t = threadIdx.x;
    if (in[t] % 2) atomicOr(&flags[t / 32], 1u << (t % 32));
}
