//@ input data: int[n] = iota
//@ launch returns_after_the_last_barrier(data, n) grid = (n + 63) / 64, block = 64
//@ page 100

__global__ void returns_after_the_last_barrier(int* data, int n) {
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = i < n ? data[i] : 0;
    __syncthreads();
    if (i >= n) return;
    data[i] = s[t ^ 1] + __popc(__activemask());
}
