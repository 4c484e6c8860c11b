//! Several blocks, an edge inside the last one, shared memory and a barrier.
//@ input  in: int[n] = lcg256
//@ let blocks = (n + 127) / 128
//@ output out: int[blocks] = poison
//@ launch sum(in, out, n) grid = blocks, block = 128, shared = 4 * 128
//@ test 1, 31, 32, 33, 127, 128, 129, 1021, 4096
//@ page 4096

extern "C" __global__ void sum(const int* in, int* out, unsigned int n) {
    extern __shared__ int values[];
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    values[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride)
            values[threadIdx.x] += values[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = values[0];
}

__host__ __device__ int expected(const int* in, unsigned int n, unsigned int i) {
    int sum = 0;
    for (unsigned int k = i * 128; k < n && k < (i + 1) * 128; k++)
        sum += in[k];
    return sum;
}
