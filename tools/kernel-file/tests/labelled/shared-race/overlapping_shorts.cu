//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch overlapping_shorts(in, out) grid = 1, block = n
//@ page 64
//@ catch race

__global__ void overlapping_shorts(const int* in, int* out) {
    __shared__ short s[65];
    int t = threadIdx.x;
    s[t] = (short)in[t]; //~ race
    s[t + 1] = (short)t;
    __syncthreads();
    out[t] = s[t];
}
