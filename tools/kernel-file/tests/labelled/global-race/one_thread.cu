//@ input data: int[n] = iota
//@ launch one_thread(data, n) grid = 1, block = 64
//@ test 64
//@ page 256

__global__ void one_thread(int* data, int n) {
    if (threadIdx.x == 0)
        for (int i = 1; i < n; i++) data[i] += data[i - 1];
}
