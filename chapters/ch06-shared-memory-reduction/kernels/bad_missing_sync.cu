//! The second rung without the barrier between filling the tile and adding it up. A warp may read a word that its
//! owner has not stored yet.
//@ input  data: int[n] = lcg256
//@ output out: int[(n + 127) / 128] = poison
//@ launch reduce(data, out, n) grid = (n + 127) / 128, block = 128
//@ test 128, 65536
//@ page 4096
//@ bytes 4 * n
//@ catch race

extern "C" __global__ void reduce(const int* data, int* out, unsigned int n) {
    __shared__ int tile[128];
    unsigned int t = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + t;

    tile[t] = i < n ? data[i] : 0;  //~ race

    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride)
            tile[t] += tile[t + stride];  //~ race
        __syncthreads();
    }

    if (t == 0)
        out[blockIdx.x] = tile[0];
}

/// The sum of block i's numbers.
__host__ __device__ int expected(const int* data, unsigned int n, unsigned int i) {
    int sum = 0;
    for (unsigned int k = i * 128; k < n && k < (i + 1) * 128; k++)
        sum += data[k];
    return sum;
}
