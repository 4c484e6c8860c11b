//! One value from many threads, read after a barrier.
//@ input data: int[n] = iota
//@ scratch out: int[1] = poison
//@ launch everybody_says_yes(data, out) grid = 1, block = n
//@ page 64

__global__ void everybody_says_yes(const int* data, int* out) {
    __shared__ int found;
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    if (data[threadIdx.x] % 7 == 3) found = 1;
    __syncthreads();
    if (threadIdx.x == 0) out[0] = found;
}
