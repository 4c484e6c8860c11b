// Atomics on shared memory. Thread t works on element `t / group * stride % modulus` of 1024.
typedef unsigned long long u64;

#define SHARED_ATOMIC(NAME, T, CALL)                                                            \
    __global__ void NAME(const T* in, T* out, int group, int stride, int modulus) {             \
        __shared__ T cells[1024];                                                               \
        int t = threadIdx.x, first = blockIdx.x * 1024;                                         \
        for (int j = t; j < 1024; j += blockDim.x) cells[j] = 0;                                \
        __syncthreads();                                                                        \
        T* p = cells + t / group * stride % modulus;                                            \
        T v = in[blockIdx.x * blockDim.x + t];                                                  \
        CALL;                                                                                   \
        __syncthreads();                                                                        \
        for (int j = t; j < 1024; j += blockDim.x) out[first + j] = cells[j];                   \
    }

// The old value goes out: only where no two threads meet is it always the same.
#define SHARED_KEPT(NAME, T, CALL)                                                              \
    __global__ void NAME(const T* in, T* out, T* old, int group, int stride, int modulus) {     \
        __shared__ T cells[1024];                                                               \
        int t = threadIdx.x, first = blockIdx.x * 1024, i = blockIdx.x * blockDim.x + t;        \
        for (int j = t; j < 1024; j += blockDim.x) cells[j] = 0;                                \
        __syncthreads();                                                                        \
        T* p = cells + t / group * stride % modulus;                                            \
        T v = in[i];                                                                            \
        old[i] = CALL;                                                                          \
        __syncthreads();                                                                        \
        for (int j = t; j < 1024; j += blockDim.x) out[first + j] = cells[j];                   \
    }

extern "C" {
SHARED_ATOMIC(shared_add_i32, int, atomicAdd(p, v))
SHARED_ATOMIC(shared_count_i32, int, if (v < 256) atomicAdd(p, 1))
SHARED_ATOMIC(shared_add_u64, u64, atomicAdd(p, v))
SHARED_ATOMIC(shared_add_f32, float, atomicAdd(p, v))
SHARED_ATOMIC(shared_add_f64, double, atomicAdd(p, v))
SHARED_ATOMIC(shared_max_i32, int, atomicMax(p, v))
SHARED_ATOMIC(shared_or_i32, int, atomicOr(p, v))
SHARED_ATOMIC(shared_inc_u32, unsigned int, atomicInc(p, 1000u + v))
SHARED_ATOMIC(shared_max_u64, u64, atomicMax(p, v))
SHARED_KEPT(shared_add_i32_kept, int, atomicAdd(p, v))
SHARED_KEPT(shared_exch_i32, int, atomicExch(p, v))
SHARED_KEPT(shared_cas_i32, int, atomicCAS(p, 0, v))
SHARED_KEPT(shared_cas_u64, u64, atomicCAS(p, 0ULL, v))

// One counter for all, at an address that the compiler sees is one.
__global__ void shared_one_counter(const int* in, int* out, int limit) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    if (in[blockIdx.x * blockDim.x + threadIdx.x] < limit) atomicAdd(&count, 1);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = count;
}

__global__ void shared_one_sum(const int* in, int* out) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void shared_one_sum_f32(const float* in, float* out) {
    __shared__ float sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// Which element a thread adds to is in `index`.
__global__ void shared_scatter_f32(const float* in, const int* index, float* out) {
    __shared__ float cells[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    for (int j = t; j < 256; j += blockDim.x) cells[j] = 0;
    __syncthreads();
    atomicAdd(&cells[index[i]], in[i]);
    __syncthreads();
    for (int j = t; j < 256; j += blockDim.x) out[blockIdx.x * 256 + j] = cells[j];
}

__global__ void shared_histogram(const int* in, int* bins, int n) {
    __shared__ int mine[256];
    int t = threadIdx.x;
    mine[t] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[in[i]], 1);
    __syncthreads();
    atomicAdd(&bins[t], mine[t]);
}

__global__ void shared_cas_loop(const int* in, int* out, int group) {
    __shared__ int cells[64];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < 64) cells[t] = 0;
    __syncthreads();
    int factor = in[i] | 1, old = 0, assumed;
    do {
        assumed = old;
        old = atomicCAS(cells + t / group, assumed, (assumed + 1) * factor - 1);
    } while (assumed != old);
    __syncthreads();
    if (t < 64) out[blockIdx.x * 64 + t] = cells[t];
}
}
