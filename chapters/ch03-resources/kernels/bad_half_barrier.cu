//! `__syncthreads()` waits for every thread of the block, at the same line. Here it stands inside a
//! branch that half of them do not take; those arrive at another barrier, further down. What a GPU
//! does then is not defined. It may hang, or pair up threads that wait for different things.
//@ input  data: int[n] = lcg256
//@ output out: int[n] = poison
//@ launch fold(data, out) grid = n / 64, block = 64
//@ test 64, 640
//@ page 640
//@ catch barrier

extern "C" __global__ void fold(const int* data, int* out) {
    __shared__ int tile[64];
    unsigned int t = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + t;
    tile[t] = data[i];
    int sum = tile[t];
    if (t < 32) {
        __syncthreads();  //~ barrier
        sum += tile[t + 32];
    }
    __syncthreads();  // before the tile is used again
    out[i] = sum;
}

__host__ __device__ int expected(const int* data, unsigned int i) {
    return i % 64 < 32 ? data[i] + data[i + 32] : data[i];
}
