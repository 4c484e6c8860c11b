//! Arrays of scalars that a kernel takes as vectors and as structs.
//@ let m = 4 * n
//@ input  in: float[m] = ramp
//@ output out: float[m] = poison
//@ output sums: int[n] = poison
//@ input  pairs: int[2 * n] = one
//@ launch twice(in, out, n) grid = (n + 127) / 128, block = 128
//@ launch add(pairs, sums, n) grid = (n + 127) / 128, block = 128
//@ test 1, 17, 128, 129
//@ page 128

struct Pair {
    int first, second;
};

extern "C" __global__ void twice(const float4* in, float4* out, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        float4 four = in[i];
        out[i] = make_float4(2 * four.x, 2 * four.y, 2 * four.z, 2 * four.w);
    }
}

extern "C" __global__ void add(const Pair* pairs, int* sums, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        sums[i] = pairs[i].first + pairs[i].second;
}

__host__ __device__ float expected_out(const float* in, int i) {
    return 2 * in[i];
}

__host__ __device__ int expected_sums(int i) {
    return 2;
}
