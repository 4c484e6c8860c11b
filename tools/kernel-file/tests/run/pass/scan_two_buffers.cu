//! After the loop a pair is made where `step` was, while other lanes are still inside.
//@ input data: int[n] = iota
//@ launch two_buffers(data, n) grid = 1, block = 64
//@ page 64

__global__ void two_buffers(int* data, int n) {
    __shared__ int s[2][256];
    int t = threadIdx.x, from = 0;
    s[0][t] = data[t];
    __syncthreads();
    for (int step = 1; step < n; step *= 2) {
        int to = 1 - from;
        s[to][t] = s[from][t] + (t >= step ? s[from][t - step] : 0);
        from = to;
        __syncthreads();
    }
    data[t] = s[from][t];
}
