//! The mask of `__syncwarp` names the lanes that take part. Here it names all 32, and only half of them
//! execute it. On a device of Volta or later these may wait for lanes that will not come, or not: it is
//! undefined.
//@ input  data: int[n] = lcg256
//@ output out: int[n] = poison
//@ launch rotate(data, out) grid = n / 32, block = 32
//@ test 32, 320
//@ page 320
//@ catch sync-mask

extern "C" __global__ void rotate(const int* data, int* out) {
    __shared__ int tile[16];
    unsigned int t = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + t;
    int mine = data[i];
    if (t < 16) {
        tile[t] = mine;
        __syncwarp(0xffffffff);  //~ sync-mask
        mine = tile[(t + 1) % 16];
    }
    out[i] = mine;
}

__host__ __device__ int expected(const int* data, unsigned int i) {
    return i % 32 < 16 ? data[i / 32 * 32 + (i + 1) % 16] : data[i];
}
