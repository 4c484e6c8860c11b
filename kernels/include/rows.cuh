// Each row of a matrix through registers: one read, one write.
//
// Constants: WHAT, SOFTMAX or LAYERNORM; LANES the floats of one access (4 where every row begins at
// a multiple of 16 bytes, else 1); VECTORS accesses a thread; THREADS to a row in one block; ROWS
// rows to a block; CLUSTER blocks to a row (1, or on Hopper up to 8, which then meet in each other's
// shared memory). A row has at most LANES * VECTORS * THREADS * CLUSTER floats.
//
// softmax: y = exp(x - m) / sum of exp(x - m), m the row's greatest. layernorm: y = (x - mean) *
// rsqrt(variance + epsilon) * gain + bias, the variance as a mean of squared distances from the
// mean, in a second look at the registers: no cancellation.

typedef unsigned int u32;
typedef unsigned long long u64;

const u32 ALL = 0xffffffff;

struct __align__(LANES * 4) Vector {
    float lane[LANES];
};

__device__ __forceinline__ float add(float a, float b) { return a + b; }
__device__ __forceinline__ float larger(float a, float b) { return a > b || a != a ? a : b; }

#if CLUSTER > 1
__device__ __forceinline__ u32 cluster_rank() {
    u32 rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
__device__ __forceinline__ void cluster_sync() {
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}
// Writes to the same place in the shared memory of block `rank` of the cluster.
__device__ __forceinline__ void put(float* place, u32 rank, float value) {
    u32 here = (u32)__cvta_generic_to_shared(place), there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here), "r"(rank));
    asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(there), "f"(value) : "memory");
}
#endif

// Over all threads of a row, in each of them. `round` is 0 or 1, another one each time in turn.
template <float (*FOLD)(float, float)>
__device__ __forceinline__ float fold_row(float value, u32 round) {
#pragma unroll
    for (u32 distance = 16; distance > 0; distance /= 2)
        value = FOLD(value, __shfl_xor_sync(ALL, value, distance));
    const u32 WARPS = THREADS / 32;
    if (WARPS * CLUSTER == 1)
        return value;
    __shared__ float met[2][ROWS][WARPS * CLUSTER];
    u32 row = threadIdx.x / THREADS, thread = threadIdx.x % THREADS;
    float* places = met[round][row];
#if CLUSTER > 1
    if (thread % 32 < CLUSTER)
        put(&places[cluster_rank() * WARPS + thread / 32], thread % 32, value);
    cluster_sync();
#else
    if (thread % 32 == 0)
        places[thread / 32] = value;
    __syncthreads();
#endif
    value = places[thread % 32 % (WARPS * CLUSTER)];
#pragma unroll
    for (u32 at = 32; at < WARPS * CLUSTER; at += 32)
        value = FOLD(value, places[at + thread % 32]);
    // The places repeat through the lanes: a butterfly over as many as there are meets each once.
#pragma unroll
    for (u32 distance = (WARPS * CLUSTER < 32 ? WARPS * CLUSTER : 32) / 2; distance > 0; distance /= 2)
        value = FOLD(value, __shfl_xor_sync(ALL, value, distance));
    return value;
}

extern "C" __global__ void
#if CLUSTER > 1
__cluster_dims__(CLUSTER, 1, 1)
#endif
__launch_bounds__(THREADS * ROWS) kernels_rows(
    const float* from, float* to, u64 rows, u64 columns, u64 from_stride, u64 to_stride
#if WHAT == LAYERNORM
    , const float* gain, const float* bias, float epsilon
#endif
) {
#if CLUSTER > 1
    u32 part = cluster_rank();
    u64 row = blockIdx.x / CLUSTER;
#else
    u32 part = 0;
    u64 row = (u64)blockIdx.x * ROWS + threadIdx.x / THREADS;
#endif
    bool mine = row < rows;
    u32 first = (part * VECTORS * THREADS + threadIdx.x % THREADS) * LANES;
    const u32 STEP = THREADS * LANES;
    const float* x = from + (mine ? row : 0) * from_stride;
    float* y = to + row * to_stride;
    u32 n = mine ? (u32)columns : 0;

#if CLUSTER > 1
    asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
#endif
    Vector v[VECTORS];
#if WHAT == SOFTMAX
    const float NOTHING = -__int_as_float(0x7f800000);
#else
    const float NOTHING = 0;
#endif
#pragma unroll
    for (u32 k = 0; k < VECTORS; k++)
        if (first + k * STEP < n) {
            v[k] = LOAD(reinterpret_cast<const Vector*>(x + first + k * STEP));
        } else {
#pragma unroll
            for (u32 j = 0; j < LANES; j++)
                v[k].lane[j] = NOTHING;
        }
#if CLUSTER > 1
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");  // all have begun
#endif

#if WHAT == SOFTMAX
    const float LOG2_E = 1.4426950408889634f;
    float most = NOTHING;
#pragma unroll
    for (u32 k = 0; k < VECTORS; k++)
#pragma unroll
        for (u32 j = 0; j < LANES; j++)
            most = larger(most, v[k].lane[j]);
    most = fold_row<larger>(most, 0);
    float sum = 0;
#pragma unroll
    for (u32 k = 0; k < VECTORS; k++)
#pragma unroll
        for (u32 j = 0; j < LANES; j++) {
            v[k].lane[j] = exp2f((v[k].lane[j] - most) * LOG2_E);
            sum += v[k].lane[j];
        }
    float scale = 1.0f / fold_row<add>(sum, 1);
#pragma unroll
    for (u32 k = 0; k < VECTORS; k++)
#pragma unroll
        for (u32 j = 0; j < LANES; j++)
            v[k].lane[j] *= scale;
#else
    float sum = 0;
#pragma unroll
    for (u32 k = 0; k < VECTORS; k++)
#pragma unroll
        for (u32 j = 0; j < LANES; j++)
            sum += v[k].lane[j];
    float mean = fold_row<add>(sum, 0) / (float)columns;
    float squares = 0;
#pragma unroll
    for (u32 k = 0; k < VECTORS; k++)
        if (first + k * STEP < n)
#pragma unroll
            for (u32 j = 0; j < LANES; j++) {
                v[k].lane[j] -= mean;
                squares += v[k].lane[j] * v[k].lane[j];
            }
    float scale = rsqrtf(fold_row<add>(squares, 1) / (float)columns + epsilon);
#pragma unroll
    for (u32 k = 0; k < VECTORS; k++)
        if (first + k * STEP < n) {
            Vector g = *reinterpret_cast<const Vector*>(gain + first + k * STEP);
            Vector b = *reinterpret_cast<const Vector*>(bias + first + k * STEP);
#pragma unroll
            for (u32 j = 0; j < LANES; j++)
                v[k].lane[j] = v[k].lane[j] * scale * g.lane[j] + b.lane[j];
        }
#endif
#pragma unroll
    for (u32 k = 0; k < VECTORS; k++)
        if (first + k * STEP < n)
            STORE(reinterpret_cast<Vector*>(y + first + k * STEP), v[k]);
#if CLUSTER > 1
    cluster_sync();  // nobody leaves while others may still write to its shared memory
#endif
}
