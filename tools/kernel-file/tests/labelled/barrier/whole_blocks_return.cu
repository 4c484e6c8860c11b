//@ input data: int[n] = iota
//@ launch whole_blocks_return(data, n) grid = 4, block = 64
//@ page 128

__global__ void whole_blocks_return(int* data, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (blockIdx.x * 64 >= n) return;
    __syncthreads();
    data[i] = 1;
}
