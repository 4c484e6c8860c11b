// One number in, one number out: a copy, and what can ride on it.
//
// Constants: T the type; LANES the elements that are moved at once; UNROLL such accesses a thread, all
// read before the first is written; THREADS; WHAT, COPY or BIAS; ACTIVATION, IDENTITY, RELU or GELU.
//
// BIAS adds bias[column] to each element of a row-major matrix that lies without gaps, and applies the
// activation. `columns` is a multiple of LANES.

typedef unsigned int u32;
typedef unsigned long long u64;

struct __align__(LANES * sizeof(T)) Vector {
    T lane[LANES];
};

#if WHAT == BIAS
__device__ __forceinline__ T activate(T x) {
#if ACTIVATION == RELU
    return x > 0 || x != x ? x : 0;  // NaN stays
#elif ACTIVATION == GELU
    return 0.5f * x * (1.0f + erff(x * 0.70710678118654752f));
#else
    return x;
#endif
}
#endif

extern "C" __global__ void __launch_bounds__(THREADS) kernels_elementwise(
    const T* from, T* to, u64 n
#if WHAT == BIAS
    , const T* bias, u64 columns
#endif
) {
    u64 count = n / LANES;
    const Vector* x = reinterpret_cast<const Vector*>(from);
    Vector* y = reinterpret_cast<Vector*>(to);
    u64 first = (u64)blockIdx.x * (THREADS * UNROLL) + threadIdx.x;
    Vector v[UNROLL];
#pragma unroll
    for (u32 k = 0; k < UNROLL; k++)
        if (first + k * THREADS < count)
            v[k] = LOAD(x + first + k * THREADS);
#if WHAT == BIAS
#pragma unroll
    for (u32 k = 0; k < UNROLL; k++) {
        u64 i = first + k * THREADS;
        if (i < count) {
            u64 at = columns <= 0xffffffff && n <= 0xffffffff ? (u32)(i * LANES) % (u32)columns : i * LANES % columns;
            Vector b = *reinterpret_cast<const Vector*>(bias + at);
#pragma unroll
            for (u32 j = 0; j < LANES; j++)
                v[k].lane[j] = activate(v[k].lane[j] + b.lane[j]);
        }
    }
#endif
#pragma unroll
    for (u32 k = 0; k < UNROLL; k++)
        if (first + k * THREADS < count)
            STORE(y + first + k * THREADS, v[k]);
    if (LANES > 1 && blockIdx.x == 0 && threadIdx.x < n % LANES)  // of a copy; BIAS has none
        to[count * LANES + threadIdx.x] = from[count * LANES + threadIdx.x];
}
