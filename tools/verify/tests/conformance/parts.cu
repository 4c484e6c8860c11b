//! One element that is too much for one thread: its parts are folded.
//@ input  in: unsigned int[n] = lcg256
//@ output top: unsigned int[1] = zero
//@ launch highest(in, top, n) grid = (n + 127) / 128, block = 128
//@ test 1, 127, 128, 129, 5000
//@ page 5000
//@ fold max

extern "C" __global__ void highest(const unsigned int* in, unsigned int* top, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicMax(top, in[i]);
}

__host__ __device__ unsigned int expected_part(const unsigned int* in, unsigned int n,
                                               unsigned int i, unsigned int part,
                                               unsigned int parts) {
    unsigned int top = 0;
    for (unsigned int k = part; k < n; k += parts)
        top = in[k] > top ? in[k] : top;
    return top;
}
