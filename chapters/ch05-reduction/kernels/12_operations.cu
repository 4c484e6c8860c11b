//! Sum, product, minimum and maximum: one kernel, four operations. The kernel needs two things of an
//! operation: how two values become one, and which value changes nothing. It combines the values in
//! an order of its own, so the operation must be associative and commutative.
//!
//! | `op` | operation | changes nothing |
//! | --- | --- | --- |
//! | 0 | `a + b` | 0 |
//! | 1 | `a * b` | 1 |
//! | 2 | `min(a, b)` | the largest int |
//! | 3 | `max(a, b)` | the smallest int |
//!
//! Look at: the time, the same for all four.
//@ input  data: int[n] = lcg256
//@ vary op = 0, 1, 2, 3
//@ output out: int[(n + 8191) / 8192] = poison
//@ launch reduce(data, out, n, op) grid = (n + 8191) / 8192, block = 512
//@ test 1, 31, 32, 33, 511, 512, 513, 1021, 8191, 8192, 8193, 100003
//@ page 2^17
//@ measure 2^24, 2^28
//@ bytes 4 * n

struct Sum {
    __host__ __device__ int nothing() const { return 0; }
    __host__ __device__ int of(int a, int b) const { return a + b; }
};
struct Product {
    __host__ __device__ int nothing() const { return 1; }
    __host__ __device__ int of(int a, int b) const {
        return (int)((unsigned int)a * b);
    }
};
struct Minimum {
    __host__ __device__ int nothing() const { return 0x7fffffff; }
    __host__ __device__ int of(int a, int b) const { return min(a, b); }
};
struct Maximum {
    __host__ __device__ int nothing() const { return -0x7fffffff - 1; }
    __host__ __device__ int of(int a, int b) const { return max(a, b); }
};

/// What the kernel makes of a number first: an odd one, 2 x - 255, so that products
/// do not die of zeros and minima are not all alike.
__host__ __device__ int odd(int x) {
    return 2 * x - 255;
}

/// All of a warp's values, in lane 0.
template <typename Op>
__device__ int warp_all(Op op, int value) {
#pragma unroll
    for (unsigned int distance = 16; distance > 0; distance /= 2)
        value = op.of(value, __shfl_down_sync(0xffffffff, value, distance));
    return value;
}

template <typename Op>
__device__ void reduce_with(
    Op op, const int* data, int* out, unsigned int n, int* warps) {
    unsigned int t = threadIdx.x;
    unsigned int start = blockIdx.x * blockDim.x * 16;

    int value = op.nothing();
#pragma unroll
    for (unsigned int k = 0; k < 16; k++) {
        unsigned int i = start + t + k * blockDim.x;
        value = op.of(value, i < n ? odd(data[i]) : op.nothing());
    }

    value = warp_all(op, value);
    if (t % 32 == 0)
        warps[t / 32] = value;
    __syncthreads();

    if (t < 32) {
        value = warp_all(op, t < 16 ? warps[t] : op.nothing());
        if (t == 0)
            out[blockIdx.x] = value;
    }
}

extern "C" __global__ void reduce(
    const int* data, int* out, unsigned int n, unsigned int op) {
    __shared__ int warps[16];  // one value for each warp of the block
    switch (op) {
        case 0: reduce_with(Sum(), data, out, n, warps); break;
        case 1: reduce_with(Product(), data, out, n, warps); break;
        case 2: reduce_with(Minimum(), data, out, n, warps); break;
        case 3: reduce_with(Maximum(), data, out, n, warps); break;
    }
}

template <typename Op>
__host__ __device__ int one_by_one(
    Op op, const int* data, unsigned int n, unsigned int i) {
    int value = op.nothing();
    for (unsigned int k = i * 8192; k < n && k < (i + 1) * 8192; k++)
        value = op.of(value, odd(data[k]));
    return value;
}

/// Block i's numbers, one after the other.
__host__ __device__ int expected(
    const int* data, unsigned int n, unsigned int op, unsigned int i) {
    switch (op) {
        case 1: return one_by_one(Product(), data, n, i);
        case 2: return one_by_one(Minimum(), data, n, i);
        case 3: return one_by_one(Maximum(), data, n, i);
        default: return one_by_one(Sum(), data, n, i);
    }
}
