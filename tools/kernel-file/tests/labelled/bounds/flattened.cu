//! A matrix seen as one row, and a pointer just past the end that is only compared.
//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch flattened(in, out) grid = 1, block = 64
//@ page 64

__global__ void flattened(const int* in, int* out) {
    __shared__ int m[8][8];
    int* all = &m[0][0];
    all[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    const int* end = in + 64;
    for (const int* p = in + threadIdx.x; p < end; p += 64) out[p - in] = all[63 - (p - in)];
}
