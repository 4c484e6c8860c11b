//@ input in: int[n] = iota
//@ scratch out: int[n] = zero
//@ launch only_what_was_written(in, out, n) grid = 1, block = 64
//@ test 20
//@ page 50

__global__ void only_what_was_written(const int* in, int* out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < n) s[t] = in[t];
    __syncthreads();
    if (t < n) out[t] = s[n - 1 - t];
}
