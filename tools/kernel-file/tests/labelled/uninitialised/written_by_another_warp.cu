//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch written_by_another_warp(in, out, n) grid = 1, block = n
//@ page 128

__global__ void written_by_another_warp(const int* in, int* out, int n) {
    __shared__ int s[128];
    if (threadIdx.x < 32)
        for (int i = threadIdx.x; i < n; i += 32) s[i] = in[i];
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
