//! The last warp goes on alone, in lockstep: as it was done before Volta.
//@ input in: int[n] = iota
//@ scratch out: int[1] = poison
//@ launch warp_tail(in, out) grid = 1, block = 256
//@ page 256
//@ catch race

__global__ void warp_tail(const int* in, int* out) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int half = 128; half > 32; half /= 2) {
        if (t < half) s[t] += s[t + half];
        __syncthreads();
    }
    if (t < 32) {
        for (int half = 32; half > 0; half /= 2) s[t] += s[t + half]; //~ race
    }
    if (t == 0) out[0] = s[0];
}
