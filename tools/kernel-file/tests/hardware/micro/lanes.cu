// Which lanes take part, and how their addresses are mixed.
#define MASKED(NAME, T)                                                                         \
    __global__ void masked_##NAME(const T* in, T* out, int n, unsigned int mask, int stride) {  \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                          \
        if (i < n && (mask >> (threadIdx.x & 31) & 1)) out[i] = in[i * stride];                 \
    }

#define GATHER(NAME, T)                                                                         \
    __global__ void gather_##NAME(const T* in, const int* index, T* out, int n) {               \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                          \
        if (i < n) out[i] = in[index[i]];                                                       \
    }

extern "C" {
MASKED(i8, signed char)
MASKED(i32, int)
MASKED(i64, long long)
MASKED(int4, int4)

GATHER(i8, signed char)
GATHER(i32, int)
GATHER(i64, long long)
GATHER(int4, int4)

__global__ void load_xor(const int* in, int* out, int n, int flip) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i ^ flip];
}

__global__ void store_xor(const int* in, int* out, int n, int flip) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i ^ flip] = in[i];
}

// A permutation where `factor` is odd and `size` a power of two.
__global__ void load_affine(const int* in, int* out, int n, int factor, int size) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i * factor & (size - 1)];
}

__global__ void store_affine(const int* in, int* out, int n, int factor, int size) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i * factor & (size - 1)] = in[i];
}

// Neighbours read the same: `group` lanes one element.
__global__ void load_group(const int* in, int* out, int n, int group) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i / group];
}

__global__ void load_group_int4(const int4* in, int4* out, int n, int group) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i / group];
}

// Two elements per warp, by turns.
__global__ void load_alternate(const int* in, int* out, int n, int distance) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[(i & 1) * distance];
}

__global__ void load_alternate_i64(const long long* in, long long* out, int n, int distance) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[(i & 1) * distance];
}

__global__ void load_alternate_int4(const int4* in, int4* out, int n, int distance) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[(i & 1) * distance];
}

// The lanes part, and both sides access memory.
__global__ void two_sides(const int* a, const int* b, int* out, int n, unsigned int mask) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (mask >> (threadIdx.x & 31) & 1) {
        out[i] = a[i] + 1;
    } else {
        out[i] = b[n - 1 - i] * 2;
    }
}
}
