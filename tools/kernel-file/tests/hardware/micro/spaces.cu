// Constant memory, module globals, local arrays, cache hints, volatile and read-only access.
__constant__ int powers[16] = {1, 3, 9, 27, 81, 243, 729, 2187, 2, 6, 18, 54, 162, 486, 1458, 4374};
__device__ int primes[16] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};

#define HINT(NAME, LOAD, STORE)                                                                 \
    __global__ void NAME(const int* in, int* out, int n, int stride) {                          \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                          \
        if (i < n) {                                                                            \
            int v = LOAD(in + i * stride) + 1;                                                  \
            STORE(out + i, v);                                                                  \
        }                                                                                       \
    }
#define PLAIN_LOAD(P) *(P)
#define PLAIN_STORE(P, V) *(P) = V

extern "C" {
__global__ void constant_one(const int* in, int* out, int n, int which) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * powers[which];
}

__global__ void constant_many(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = powers[in[i] & 15];
}

__global__ void module_global(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = primes[in[i] & 15];
}

HINT(hint_ldg, __ldg, PLAIN_STORE)
HINT(hint_ldcs, __ldcs, __stcs)
HINT(hint_ldcg, __ldcg, __stcg)
HINT(hint_ldca, __ldca, __stwb)
HINT(hint_ldcv, __ldcv, __stwt)

__global__ void hint_ldg_float4(const float4* in, float4* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __ldg(in + i);
}

__global__ void read_only(const float* __restrict__ in, float* __restrict__ out, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i * stride] * 2.0f;
}

__global__ void volatile_twice(const volatile int* in, volatile int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int a = in[i];
        int b = in[i];
        out[i] = a;
        out[i] = a + b;
    }
}

// Pointers into two arrays in one warp.
__global__ void either(const int* a, const int* b, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const int* p = i & 1 ? a : b;
        out[i] = p[i];
    }
}

__global__ void local_index(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int mine[16], v = in[i];
#pragma unroll 1
    for (int k = 0; k < 16; k++) mine[(k + i) & 15] = v + k;
    out[i] = mine[v & 15];
}

__global__ void local_count(const int* in, int* out, int n, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    signed char seen[32];
#pragma unroll 1
    for (int k = 0; k < 32; k++) seen[k ^ (n & 1)] = 0;
#pragma unroll 1
    for (int k = 0; k < rounds; k++) seen[in[i + k * n] & 31] += 1;
    out[i] = seen[i & 31];
}
}
