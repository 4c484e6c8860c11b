//@ input data: int[n] = iota
//@ launch while_anybody_works(data) grid = 1, block = n
//@ page 64

__global__ void while_anybody_works(int* data) {
    int left = threadIdx.x % 5;
    while (__syncthreads_or(left > 0)) {
        if (left > 0) left--;
        data[threadIdx.x] += left;
    }
}
