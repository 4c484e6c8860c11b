//! Why four? Here the number of tiles per block is a variable, `items`, and everything else is as in the
//! fourth file. The compiler knows each value as a constant, so that all loads of a thread can be in flight
//! together.
//!
//! Look at: the time by `items`. Where does it stop falling?
//@ input  data: int[n] = lcg256
//@ vary items = 1, 2, 4, 8, 16, 32
//@ let chunk = 128 * items
//@ output out: int[(n + chunk - 1) / chunk] = poison
//@ launch reduce(data, out, n, items) grid = (n + chunk - 1) / chunk, block = 128, shared = 4 * 128
//@ test 1, 31, 32, 33, 127, 128, 129, 1021, 4096, 65536, 100003
//@ page 2^17
//@ measure 2^24, 2^28
//@ bytes 4 * n

/// The sum of ITEMS numbers, one out of each tile.
template <unsigned int ITEMS>
__device__ int load_sum(const int* data, unsigned int n, unsigned int i) {
    int sum = 0;
#pragma unroll
    for (unsigned int k = 0; k < ITEMS; k++, i += blockDim.x)
        sum += i < n ? data[i] : 0;
    return sum;
}

extern "C" __global__ void reduce(
    const int* data, int* out, unsigned int n, unsigned int items) {
    extern __shared__ int tile[];
    unsigned int t = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x * items + t;

    int sum = 0;
    switch (items) {
        case 1: sum = load_sum<1>(data, n, i); break;
        case 2: sum = load_sum<2>(data, n, i); break;
        case 4: sum = load_sum<4>(data, n, i); break;
        case 8: sum = load_sum<8>(data, n, i); break;
        case 16: sum = load_sum<16>(data, n, i); break;
        case 32: sum = load_sum<32>(data, n, i); break;
    }
    tile[t] = sum;
    __syncthreads();

    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride)
            tile[t] += tile[t + stride];
        __syncthreads();
    }

    if (t == 0)
        out[blockIdx.x] = tile[0];
}

/// The sum of block i's numbers.
__host__ __device__ int expected(
    const int* data, unsigned int n, unsigned int chunk, unsigned int i) {
    int sum = 0;
    for (unsigned int k = i * chunk; k < n && k < (i + 1) * chunk; k++)
        sum += data[k];
    return sum;
}
