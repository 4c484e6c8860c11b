// Each row of a matrix through registers: one read, one write.
//
// Constants: WHAT, SOFTMAX or LAYERNORM; LANES the floats of one access (4 where every row begins at
// a multiple of 16 bytes, else 1); THREADS to a row, ROWS rows to a block; VECTORS accesses a thread
// whose floats stay in registers, and KEPT more whose floats stay in shared memory: rows that the
// registers of a block do not hold. A row has at most LANES * (VECTORS + KEPT) * THREADS floats. BLOCKS
// is how many blocks a multiprocessor is to hold, 0 where that is left to the compiler.
//
// AHEAD is of layernorm: gain and bias are as long as the row, and come from the second-level cache once
// for each. Read when they are needed, where a row takes a whole multiprocessor, they cost a third of the
// time: nothing else is under way then. So the first AHEAD vectors of both are asked for with the row
// itself, and each that is used makes room for another. 0 is for short rows, whose many blocks hide it.
//
// softmax: y = exp(x - m) / sum of exp(x - m), m the row's greatest. layernorm: y = (x - mean) *
// rsqrt(variance + epsilon) * gain + bias, the variance as a mean of squared distances from the
// mean, in a second look at the floats: no cancellation.
//
// A thread touches only its own floats, in shared memory too; threads meet for two numbers per row.

#define SOFTMAX 0
#define LAYERNORM 1

typedef unsigned int u32;
typedef unsigned long long u64;

const u32 ALL = 0xffffffff;
const float LOG2_E = 1.4426950408889634f;
const u32 STEP = THREADS * LANES;

struct __align__(LANES * 4) Vector {
    float lane[LANES];
};

__device__ __forceinline__ float add(float a, float b) { return a + b; }
__device__ __forceinline__ float larger(float a, float b) { return a > b || a != a ? a : b; }

// Over all threads of a row, in each of them. `round` is another one each time.
template <float (*FOLD)(float, float)>
__device__ __forceinline__ float fold_row(float value, u32 round) {
#pragma unroll
    for (u32 distance = 16; distance > 0; distance /= 2)
        value = FOLD(value, __shfl_xor_sync(ALL, value, distance));
    const u32 WARPS = THREADS / 32;
    if (WARPS == 1)
        return value;
    __shared__ float met[2][ROWS][WARPS];
    float* places = met[round][threadIdx.x / THREADS];
    if (threadIdx.x % 32 == 0)
        places[threadIdx.x % THREADS / 32] = value;
    __syncthreads();
    // The places repeat through the lanes: a butterfly over as many as there are meets each once.
    value = places[threadIdx.x % WARPS];
#pragma unroll
    for (u32 distance = WARPS / 2; distance > 0; distance /= 2)
        value = FOLD(value, __shfl_xor_sync(ALL, value, distance));
    return value;
}

// What a thread copies for itself is there after a wait of its own.
__device__ __forceinline__ void start_copy(Vector* to, const float* from) {
    u32 place = (u32)__cvta_generic_to_shared(to);
    if (LANES == 4)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place), "l"(from) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(place), "l"(from), "n"(LANES * 4) : "memory");
}

__device__ __forceinline__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// Until no more than LEFT groups are under way.
template <u32 LEFT>
__device__ __forceinline__ void wait_copies() {
    asm volatile("cp.async.wait_group %0;" ::"n"(LEFT) : "memory");
}

// The floats of a thread.
struct Floats {
    Vector v[VECTORS];
    Vector* kept;  // in shared memory: this one, and every THREADS-th from here

    // Hands each vector, and where it begins, to `body`, and keeps what that leaves.
    template <class Body>
    __device__ __forceinline__ void change(Body body) {
#pragma unroll
        for (u32 k = 0; k < VECTORS; k++)
            body(v[k], k * STEP);
#pragma unroll
        for (u32 k = 0; k < KEPT; k++) {
            Vector w = kept[k * THREADS];
            body(w, (VECTORS + k) * STEP);
            kept[k * THREADS] = w;
        }
    }

    // The same, and keeps nothing.
    template <class Body>
    __device__ __forceinline__ void look(Body body) {
#pragma unroll
        for (u32 k = 0; k < VECTORS; k++)
            body(v[k], k * STEP);
#pragma unroll
        for (u32 k = 0; k < KEPT; k++) {
            Vector w = kept[k * THREADS];
            body(w, (VECTORS + k) * STEP);
        }
    }
};

#if WHAT == LAYERNORM && AHEAD > 0
// Asks for vector `k` of gain and bias.
__device__ __forceinline__ void start_scales(Vector* ring, const float* gain, const float* bias, u32 k, bool there) {
    Vector* place = ring + k % AHEAD * 2 * THREADS;
    if (there) {
        start_copy(place, gain + k * STEP);
        start_copy(place + THREADS, bias + k * STEP);
    }
    commit_copies();
}
#endif

#if BLOCKS > 0
#define BOUNDS __launch_bounds__(THREADS* ROWS, BLOCKS)
#else
#define BOUNDS __launch_bounds__(THREADS* ROWS)
#endif

extern "C" __global__ void BOUNDS kernels_rows(
    const float* from, float* to, u64 rows, u64 columns, u64 from_stride, u64 to_stride
#if WHAT == LAYERNORM
    , const float* gain, const float* bias, float epsilon
#endif
) {
    extern __shared__ __align__(16) unsigned char memory[];
    u64 row = (u64)blockIdx.x * ROWS + threadIdx.x / THREADS;
    u32 thread = threadIdx.x % THREADS;
    u32 first = thread * LANES;
    bool mine = row < rows;
    const float* x = from + (mine ? row : 0) * from_stride + first;
    float* y = to + row * to_stride + first;
    u32 n = mine ? (u32)columns : 0;
    Floats floats;
    floats.kept = reinterpret_cast<Vector*>(memory) + thread;

#if WHAT == SOFTMAX
    const float NOTHING = -__int_as_float(0x7f800000);
#else
    const float NOTHING = 0;
#endif
#pragma unroll
    for (u32 k = 0; k < KEPT; k++)
        if (first + (VECTORS + k) * STEP < n) {
            start_copy(floats.kept + k * THREADS, x + (VECTORS + k) * STEP);
        } else {
#pragma unroll
            for (u32 j = 0; j < LANES; j++)
                floats.kept[k * THREADS].lane[j] = NOTHING;
        }
    if (KEPT > 0)
        commit_copies();
#pragma unroll
    for (u32 k = 0; k < VECTORS; k++)
        if (first + k * STEP < n) {
            floats.v[k] = *reinterpret_cast<const Vector*>(x + k * STEP);
        } else {
#pragma unroll
            for (u32 j = 0; j < LANES; j++)
                floats.v[k].lane[j] = NOTHING;
        }
#if WHAT == LAYERNORM && AHEAD > 0
    gain += first, bias += first;
    Vector* ring = floats.kept + KEPT * THREADS;
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++)
        start_scales(ring, gain, bias, k, first + k * STEP < n);
    if (KEPT > 0)
        wait_copies<AHEAD>();
#else
    if (KEPT > 0)
        wait_copies<0>();
#endif

#if WHAT == SOFTMAX
    float most = NOTHING;
    floats.look([&](const Vector& w, u32) {
#pragma unroll
        for (u32 j = 0; j < LANES; j++)
            most = larger(most, w.lane[j]);
    });
    most = fold_row<larger>(most, 0);
    float sum = 0;
    floats.change([&](Vector& w, u32) {
#pragma unroll
        for (u32 j = 0; j < LANES; j++) {
            w.lane[j] = exp2f((w.lane[j] - most) * LOG2_E);
            sum += w.lane[j];
        }
    });
    float scale = 1.0f / fold_row<add>(sum, 1);
    floats.look([&](Vector& w, u32 at) {
#pragma unroll
        for (u32 j = 0; j < LANES; j++)
            w.lane[j] *= scale;
        if (first + at < n)
            *reinterpret_cast<Vector*>(y + at) = w;
    });
#else
    float sum = 0;
    floats.look([&](const Vector& w, u32) {
#pragma unroll
        for (u32 j = 0; j < LANES; j++)
            sum += w.lane[j];
    });
    float mean = fold_row<add>(sum, 0) / (float)columns;
    float squares = 0;
    floats.look([&](const Vector& w, u32 at) {
        if (first + at < n)
#pragma unroll
            for (u32 j = 0; j < LANES; j++)
                squares += (w.lane[j] - mean) * (w.lane[j] - mean);
    });
    float scale = rsqrtf(fold_row<add>(squares, 1) / (float)columns + epsilon);
    floats.look([&](Vector& w, u32 at) {
        bool there = first + at < n;
#if AHEAD > 0
        u32 k = at / STEP;
        wait_copies<AHEAD - 1>();
        if (there) {
            const Vector* place = ring + k % AHEAD * 2 * THREADS;
            Vector g = place[0], b = place[THREADS];
#else
        if (there) {
            Vector g = *reinterpret_cast<const Vector*>(gain + first + at);
            Vector b = *reinterpret_cast<const Vector*>(bias + first + at);
#endif
#pragma unroll
            for (u32 j = 0; j < LANES; j++)
                w.lane[j] = (w.lane[j] - mean) * scale * g.lane[j] + b.lane[j];
            *reinterpret_cast<Vector*>(y + at) = w;
        }
#if AHEAD > 0
        k += AHEAD;
        start_scales(ring, gain, bias, k, k < VECTORS + KEPT && first + k * STEP < n);
#endif
    });
#endif
}

// Rows of any length, beginning anywhere, a block to a row: read three times, the second and third time
// from the cache where that is large enough. Here ROWS and LANES are 1.
extern "C" __global__ void __launch_bounds__(THREADS) kernels_rows_long(
    const float* from, float* to, u64 rows, u64 columns, u64 from_stride, u64 to_stride
#if WHAT == LAYERNORM
    , const float* gain, const float* bias, float epsilon
#endif
) {
    const float* x = from + blockIdx.x * from_stride;
    float* y = to + blockIdx.x * to_stride;
#if WHAT == SOFTMAX
    float most = -__int_as_float(0x7f800000);
    for (u64 i = threadIdx.x; i < columns; i += THREADS)
        most = larger(most, x[i]);
    most = fold_row<larger>(most, 0);
    float sum = 0;
    for (u64 i = threadIdx.x; i < columns; i += THREADS)
        sum += exp2f((x[i] - most) * LOG2_E);
    float scale = 1.0f / fold_row<add>(sum, 1);
    for (u64 i = threadIdx.x; i < columns; i += THREADS)
        y[i] = exp2f((x[i] - most) * LOG2_E) * scale;
#else
    float sum = 0;
    for (u64 i = threadIdx.x; i < columns; i += THREADS)
        sum += x[i];
    float mean = fold_row<add>(sum, 0) / (float)columns;
    float squares = 0;
    for (u64 i = threadIdx.x; i < columns; i += THREADS)
        squares += (x[i] - mean) * (x[i] - mean);
    float scale = rsqrtf(fold_row<add>(squares, 1) / (float)columns + epsilon);
    for (u64 i = threadIdx.x; i < columns; i += THREADS)
        y[i] = (x[i] - mean) * scale * gain[i] + bias[i];
#endif
}
