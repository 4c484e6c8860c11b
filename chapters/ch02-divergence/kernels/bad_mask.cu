//! A shuffle inside a branch. The mask names all 32 lanes, and only half of them are there. Those wait for lanes that
//! will not come.
//@ input  in: int[n] = lcg256
//@ output out: int[n] = poison
//@ launch spread(in, out) grid = n / 32, block = 32
//@ test 32, 64
//@ page 32
//@ catch sync-mask

extern "C" __global__ void spread(const int* in, int* out) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = in[i];
    if (threadIdx.x < 16)
        x = __shfl_sync(0xffffffff, x, 0);  //~ sync-mask
    out[i] = x;
}

__host__ __device__ int expected(const int* in, unsigned int i) {
    return i % 32 < 16 ? in[i / 32 * 32] : in[i];
}
