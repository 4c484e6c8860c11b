//! The mask does not name who has returned: those lanes met nobody.
//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch after_others_returned(in, out) grid = 1, block = 32
//@ page 32
//@ catch race

__global__ void after_others_returned(const int* in, int* out) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t >= 16) return;
    __syncwarp(0xffff);
    out[t] = s[t] + s[t + 16]; //~ race
}
