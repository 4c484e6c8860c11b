// Shared memory: what a thread stores, its neighbour loads, at a stride from a start.
#define SHARED(NAME, T)                                                                         \
    __global__ void shared_##NAME(const T* in, T* out, int stride, int start, int flip) {       \
        extern __shared__ T memory_##NAME[];                                                    \
        int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;                                   \
        memory_##NAME[t * stride + start] = in[i];                                              \
        __syncthreads();                                                                        \
        out[i] = memory_##NAME[(t ^ flip) * stride + start];                                    \
    }

// Every thread stores in a row; which element it loads is in `index`.
#define LOOKUP(NAME, T)                                                                         \
    __global__ void lookup_##NAME(const T* in, const int* index, T* out) {                      \
        __shared__ T table[256];                                                                \
        int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;                                   \
        table[t] = in[i];                                                                       \
        __syncthreads();                                                                        \
        out[i] = table[index[i]];                                                               \
    }

// The element that a thread loads is `t / group * stride & 255`.
#define SPREAD(NAME, T)                                                                         \
    __global__ void spread_##NAME(const T* in, T* out, int group, int stride) {                 \
        __shared__ T table[256];                                                                \
        int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;                                   \
        table[t] = in[i];                                                                       \
        __syncthreads();                                                                        \
        out[i] = table[t / group * stride & 255];                                               \
    }

extern "C" {
SHARED(i8, signed char)
SHARED(i16, short)
SHARED(i32, int)
SHARED(i64, long long)
SHARED(f64, double)
SHARED(float2, float2)
SHARED(int4, int4)

LOOKUP(i8, signed char)
LOOKUP(i16, short)
LOOKUP(i32, int)
LOOKUP(i64, long long)
LOOKUP(int4, int4)

SPREAD(i8, signed char)
SPREAD(i32, int)
SPREAD(i64, long long)
SPREAD(int4, int4)

// The two halves of a warp do without some bits of their indices, each half without its own.
#define HALVES(NAME, T)                                                                         \
    __global__ void halves_##NAME(const T* in, T* out, int low, int high) {                     \
        __shared__ T table[256];                                                                \
        int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;                                   \
        table[t] = in[i];                                                                       \
        __syncthreads();                                                                        \
        out[i] = table[t & (t & 16 ? high : low)];                                              \
    }

HALVES(i64, long long)
HALVES(int4, int4)

// Only some lanes store, only some load.
__global__ void shared_masked(const int* in, int* out, int stride, unsigned int mask) {
    __shared__ int table[2048];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    bool takes_part = mask >> (t & 31) & 1;
    if (takes_part) table[t * stride] = in[i];
    __syncthreads();
    out[i] = takes_part ? table[t * stride] + 1 : 7;
}

__global__ void shared_masked_int4(const int4* in, int4* out, unsigned int mask) {
    __shared__ int4 table[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    bool takes_part = mask >> (t & 31) & 1;
    table[t] = in[i];
    __syncthreads();
    if (takes_part) out[i] = table[t ^ 1];
}

__global__ void shared_masked_i64(const long long* in, long long* out, unsigned int mask) {
    __shared__ long long table[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    bool takes_part = mask >> (t & 31) & 1;
    table[t] = in[i];
    __syncthreads();
    if (takes_part) out[i] = table[t ^ 1];
}

// The column of a structure in shared memory.
struct Item { int key, value, next; };
__global__ void shared_item(const int* in, int* out) {
    __shared__ Item items[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    items[t].value = in[i];
    __syncthreads();
    out[i] = items[t ^ 1].value;
}

__global__ void shared_volatile(const int* in, int* out) {
    __shared__ volatile int table[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    table[t] = in[i];
    __syncthreads();
    int sum = table[t ^ 2] + table[t ^ 2] * 3;
    out[i] = sum;
}

// Rows of a tile are kept apart by its indices' exclusive or, not by padding.
__global__ void shared_swizzle(const int* in, int* out) {
    __shared__ int tile[32][32];
    int x = threadIdx.x, y = threadIdx.y, i = y * 32 + x;
    tile[y][x ^ y] = in[i];
    __syncthreads();
    out[i] = tile[x][y ^ x];
}
}
