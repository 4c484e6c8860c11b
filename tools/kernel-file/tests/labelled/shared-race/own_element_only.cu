//! Shared memory as a store of one's own: no barrier is needed.
//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch own_element_only(in, out) grid = n / 128, block = 128
//@ test 128
//@ page 512

__global__ void own_element_only(const int* in, int* out) {
    __shared__ int s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t] = in[i];
    s[t] *= 2;
    s[t] += 1;
    out[i] = s[t];
}
