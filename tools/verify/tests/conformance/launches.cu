//! Two launches in order, a scratch array between them, two outputs, two axes, and scalars of
//! several types.
//@ let side = 48
//@ input  in: unsigned int[n * side] = iota
//@ scratch half: unsigned int[n * side] = poison
//@ output doubled: long long[n * side] = poison
//@ output last: unsigned char[n] = zero
//@ launch copy(in, half, n, side) grid = ((side + 15) / 16, (n + 3) / 4), block = (16, 4)
//@ launch twice(half, doubled, last, n * side, 2, side) grid = (n * side + 63) / 64, block = 64
//@ test 1, 3, 4, 5, 17
//@ page 17

extern "C" __global__ void copy(const unsigned int* in, unsigned int* half, int n, int side) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < side && y < n)
        half[y * side + x] = in[y * side + x] + 1;
}

extern "C" __global__ void twice(const unsigned int* half, long long* doubled, unsigned char* last,
                                 unsigned long long total, long long factor, int side) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < total) {
        doubled[i] = half[i] * factor;
        if (i % side == side - 1)
            last[i / side] = (unsigned char)half[i];
    }
}

__host__ __device__ long long expected_doubled(const unsigned int* in, unsigned int i) {
    return 2ll * (in[i] + 1);
}

__host__ __device__ unsigned char expected_last(const unsigned int* in, int side, unsigned int i) {
    return (unsigned char)(in[i * side + side - 1] + 1);
}
