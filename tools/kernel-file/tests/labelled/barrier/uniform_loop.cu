//@ input data: int[n] = iota
//@ launch uniform_loop(data, n) grid = 2, block = 64
//@ page 300

__global__ void uniform_loop(int* data, int n) {
    for (int base = blockIdx.x * 64; base < n; base += 128) {
        int i = base + threadIdx.x;
        int v = i < n ? data[i] : 0;
        int some = __syncthreads_count(v % 2);
        if (i < n) data[i] = some;
    }
}
