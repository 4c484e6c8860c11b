//! A struct with bytes between its members is copied whole.
//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch padding_is_not_read(in, out) grid = 1, block = n
//@ page 32

struct Padded {
    char tag;
    int value;
};
__global__ void padding_is_not_read(const int* in, int* out) {
    __shared__ Padded s[64];
    int t = threadIdx.x;
    s[t].tag = 1;
    s[t].value = in[t];
    __syncthreads();
    Padded p = s[blockDim.x - 1 - t];
    s[32 + t] = p;
    out[t] = s[32 + t].value + p.tag;
}
