// <curand.h>: cuRAND's generators of the host, XORWOW, MRG32k3a and Philox. Which number of which
// subsequence a result is, is what its manual says of the orders, and what an H200 gave.
#pragma once
#define CURAND_H_
#include <curand_kernel.h>
#include <stdlib.h>

#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 4
#define CURAND_VER_PATCH 0
#define CURAND_VERSION 10400
#define CURANDAPI

typedef enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE = 202,
    CURAND_STATUS_INITIALIZATION_FAILED = 203,
    CURAND_STATUS_ARCH_MISMATCH = 204,
    CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;
typedef enum curandRngType {
    CURAND_RNG_TEST = 0,
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_DEFAULT = 200,
    CURAND_RNG_QUASI_SOBOL32 = 201,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
    CURAND_RNG_QUASI_SOBOL64 = 203,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
} curandRngType_t;
typedef enum curandOrdering {
    CURAND_ORDERING_PSEUDO_BEST = 100,
    CURAND_ORDERING_PSEUDO_DEFAULT = 101,
    CURAND_ORDERING_PSEUDO_SEEDED = 102,
    CURAND_ORDERING_PSEUDO_LEGACY = 103,
    CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
    CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;

struct curandGenerator_st {
    curandRngType_t type;
    bool on_host;
    unsigned long long seed;
    // How many results, or pairs of normal numbers, came before the next one; and before the first since the
    // seed or the offset was set.
    unsigned long long position, begin;
    // Of MRG32k3a: subsequences that take turns.
    unsigned int turns;
    cudaStream_t stream;
    // The generators of the subsequences, in the device's memory.
    void* states;
};
typedef struct curandGenerator_st* curandGenerator_t;

// What a result is.
enum { __CURAND_BITS, __CURAND_UNIFORM, __CURAND_NORMAL, __CURAND_LOG_NORMAL };

// Of 53 bits, in (0, 1].
__device__ inline double __curand_double(unsigned int x, unsigned int y) { return (x ^ ((unsigned long long)y << 21)) * 0x1p-53 + 0x1p-54; }
__device__ inline float2 __curand_pair(float, unsigned int x, unsigned int y) {
    const float length = sqrtf(-2.0f * logf(x * 0x1p-32f + 0x1p-33f));
    const float angle = y * (0x1p-32f * 6.2831855f) + 0x1p-33f * 6.2831855f;
    float2 pair;
    __sincosf(angle, &pair.x, &pair.y);
    pair.x *= length;
    pair.y *= length;
    return pair;
}
__device__ inline double2 __curand_pair(double, unsigned int x0, unsigned int x1, unsigned int y0, unsigned int y1) {
    const double length = sqrt(-2.0 * log(__curand_double(x0, x1)));
    double2 pair;
    sincospi((y0 ^ ((unsigned long long)y1 << 21)) * 0x1p-52 + 0x1p-53, &pair.x, &pair.y);
    pair.x *= length;
    pair.y *= length;
    return pair;
}
template <int kind, typename T> __device__ inline T __curand_scaled(T z, T mean, T deviation) {
    const T value = mean + deviation * z;
    if constexpr (kind == __CURAND_LOG_NORMAL) return exp(value);
    else return value;
}

// A generator of one subsequence gives whole numbers one by one.
struct __curand_xorwow {
    curandStateXORWOW state;
    struct Jumps {};
    static Jumps jumps() { return Jumps(); }
    __device__ __curand_xorwow() {}
    __device__ __curand_xorwow(const Jumps&, unsigned long long seed, unsigned long long subsequence, unsigned long long offset) { curand_init(seed, subsequence, offset, &state); }
    __device__ unsigned int bits() { return curand(&state); }
    __device__ float uniform(float) { return bits() * 0x1p-32f + 0x1p-33f; }
    __device__ double uniform(double) {
        const unsigned int x = bits(), y = bits();
        return __curand_double(x, y);
    }
    __device__ float2 pair(float) {
        const unsigned int x = bits(), y = bits();
        return __curand_pair(0.0f, x, y);
    }
    __device__ double2 pair(double) {
        const unsigned int x0 = bits(), x1 = bits(), y0 = bits(), y1 = bits();
        return __curand_pair(0.0, x0, x1, y0, y1);
    }
};

// P. L'Ecuyer, "Good Parameters and Implementations for Combined Multiple Recursive Random Number
// Generators", Operations Research 47 (1), 1999. Subsequences are 2^76 numbers apart.
struct __curand_mrg {
    unsigned long long a[3], b[3];
    static const unsigned long long m1 = 4294967087ull, m2 = 4294944443ull;
    // A row times the last three values, which the matrices of jumps take from old to new.
    struct Matrix {
        unsigned int at[9];
    };
    static __host__ __device__ Matrix product(const Matrix& x, const Matrix& y, unsigned long long m) {
        Matrix all;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                unsigned long long sum = 0;
                for (int k = 0; k < 3; k++) sum = (sum + (unsigned long long)x.at[3 * i + k] * y.at[3 * k + j] % m) % m;
                all.at[3 * i + j] = (unsigned int)sum;
            }
        return all;
    }
    static __host__ __device__ void move(const Matrix& x, unsigned long long* v, unsigned long long m) {
        unsigned long long all[3];
        for (int i = 0; i < 3; i++) {
            unsigned long long sum = 0;
            for (int k = 0; k < 3; k++) sum = (sum + x.at[3 * i + k] * v[k] % m) % m;
            all[i] = sum;
        }
        for (int i = 0; i < 3; i++) v[i] = all[i];
    }
    // The jumps over 1, 2, 4, .. steps, and as many subsequences.
    struct Jumps {
        Matrix step1[24], step2[24], far1[17], far2[17];
    };
    static Jumps jumps() {
        Jumps all;
        Matrix first = {{0, 1, 0, 0, 0, 1, (unsigned int)(m1 - 810728), 1403580, 0}};
        Matrix second = {{0, 1, 0, 0, 0, 1, (unsigned int)(m2 - 1370589), 0, 527612}};
        for (int i = 0; i < 76 + 17; i++) {
            if (i < 24) {
                all.step1[i] = first;
                all.step2[i] = second;
            }
            if (i >= 76) {
                all.far1[i - 76] = first;
                all.far2[i - 76] = second;
            }
            first = product(first, first, m1);
            second = product(second, second, m2);
        }
        return all;
    }
    __device__ void jump(unsigned long long times, const Matrix* first, const Matrix* second) {
        for (int i = 0; times != 0; times >>= 1, i++) {
            if ((times & 1) == 0) continue;
            move(first[i], a, m1);
            move(second[i], b, m2);
        }
    }
    __device__ __curand_mrg() {}
    __device__ __curand_mrg(const Jumps& jumps, unsigned long long seed, unsigned int subsequence, unsigned long long offset) {
        const unsigned long long x = seed == 0 ? 1 : (unsigned int)seed ^ 0x55555555u, y = seed == 0 ? 1 : (unsigned int)(seed >> 32) ^ 0xaaaaaaaau;
        a[0] = a[2] = 12345 * x % m1;
        a[1] = 12345 * y % m1;
        b[0] = b[2] = 12345 * y % m2;
        b[1] = 12345 * x % m2;
        jump(subsequence, jumps.far1, jumps.far2);
        for (; offset >> 24 != 0; offset -= 1ull << 23) jump(1ull << 23, jumps.step1, jumps.step2);
        jump(offset, jumps.step1, jumps.step2);
    }
    __device__ double next() {
        const unsigned long long p = (1403580 * a[1] + 810728 * (m1 - a[0])) % m1;
        a[0] = a[1];
        a[1] = a[2];
        a[2] = p;
        const unsigned long long q = (527612 * b[2] + 1370589 * (m2 - b[0])) % m2;
        b[0] = b[1];
        b[1] = b[2];
        b[2] = q;
        return p <= q ? (double)(p + m1 - q) : (double)(p - q);
    }
    __device__ unsigned int bits() { return (unsigned int)(next() * 1.000000048662); }
    __device__ float uniform(float) { return (float)(next() * 2.3283065498378288e-10); }
    __device__ double uniform(double) { return next() * 2.3283065498378288e-10; }
    __device__ float2 pair(float) {
        const unsigned int x = bits(), y = bits();
        return __curand_pair(0.0f, x, y);
    }
    __device__ double2 pair(double) {
        const double length = sqrt(-2.0 * log(uniform(0.0)));
        double2 pair;
        sincospi(2.0 * uniform(0.0), &pair.x, &pair.y);
        pair.x *= length;
        pair.y *= length;
        return pair;
    }
};

// Subsequences take turns: the next result is from the one at `position` modulo their number, the result
// behind it from the next. Each goes on where the last call left it.
template <typename G, int kind, typename T> __global__ void __curand_generate(T* to, size_t n, G* states, const typename G::Jumps* jumps, unsigned int turns, unsigned long long seed, unsigned long long begin, unsigned long long position, T mean, T deviation) {
    const unsigned int t = blockIdx.x * blockDim.x + threadIdx.x;
    const size_t items = kind >= __CURAND_NORMAL ? n / 2 : n;
    if (t >= items || t >= turns) return;
    const unsigned long long place = position + t;
    G generator;
    if (place - begin < turns) generator = G(*jumps, seed, (unsigned int)(place % turns), place / turns);
    else generator = states[place % turns];
    for (size_t i = t; i < items; i += turns) {
        if constexpr (kind == __CURAND_BITS) to[i] = generator.bits();
        else if constexpr (kind == __CURAND_UNIFORM) to[i] = generator.uniform(T(0));
        else {
            const auto pair = generator.pair(T(0));
            to[2 * i] = __curand_scaled<kind>(pair.x, mean, deviation);
            to[2 * i + 1] = __curand_scaled<kind>(pair.y, mean, deviation);
        }
    }
    states[place % turns] = generator;
}

// J. K. Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011. Four numbers of a subsequence
// stand together, then four of the next of 65536.
struct __curand_four {
    unsigned int at[4];
};
__device__ inline __curand_four __curand_philox(unsigned long long seed, unsigned long long subsequence, unsigned long long offset) {
    unsigned int x = (unsigned int)offset, y = (unsigned int)(offset >> 32), z = (unsigned int)subsequence, w = (unsigned int)(subsequence >> 32);
    unsigned int low = (unsigned int)seed, high = (unsigned int)(seed >> 32);
    for (int round = 0; round < 10; round++) {
        const unsigned long long p = 0xD2511F53ull * x, q = 0xCD9E8D57ull * z;
        x = (unsigned int)(q >> 32) ^ y ^ low;
        y = (unsigned int)q;
        z = (unsigned int)(p >> 32) ^ w ^ high;
        w = (unsigned int)p;
        low += 0x9E3779B9u;
        high += 0xBB67AE85u;
    }
    return __curand_four{{x, y, z, w}};
}
template <int kind, typename T> __global__ void __curand_generate_philox(T* to, size_t n, unsigned long long seed, unsigned long long position, T mean, T deviation) {
    // Groups of four results, of which the first and the last may be in part of this call.
    const unsigned long long first = position / 4, last = (position + n + 3) / 4;
    for (unsigned long long group = first + blockIdx.x * blockDim.x + threadIdx.x; group < last; group += (unsigned long long)gridDim.x * blockDim.x) {
        T four[4];
        const unsigned long long subsequence = group % 65536;
        if constexpr (sizeof(T) == 8) {
            // A thread takes two fours for each of its groups.
            const unsigned long long turn = (group - first) / 65536, offset = (group - 65536 * turn) / 65536 + 2 * turn;
            const __curand_four a = __curand_philox(seed, subsequence, offset), b = __curand_philox(seed, subsequence, offset + 1);
            if constexpr (kind == __CURAND_UNIFORM) {
                four[0] = __curand_double(a.at[0], a.at[1]);
                four[1] = __curand_double(a.at[2], a.at[3]);
                four[2] = __curand_double(b.at[0], b.at[1]);
                four[3] = __curand_double(b.at[2], b.at[3]);
            } else {
                const double2 u = __curand_pair(0.0, a.at[0], a.at[1], a.at[2], a.at[3]), v = __curand_pair(0.0, b.at[0], b.at[1], b.at[2], b.at[3]);
                four[0] = u.x;
                four[1] = u.y;
                four[2] = v.x;
                four[3] = v.y;
            }
        } else {
            const __curand_four a = __curand_philox(seed, subsequence, group / 65536);
            if constexpr (kind == __CURAND_BITS) {
                for (int i = 0; i < 4; i++) four[i] = a.at[i];
            } else if constexpr (kind == __CURAND_UNIFORM) {
                for (int i = 0; i < 4; i++) four[i] = a.at[i] * 0x1p-32f + 0x1p-33f;
            } else {
                const float2 u = __curand_pair(0.0f, a.at[0], a.at[1]), v = __curand_pair(0.0f, a.at[2], a.at[3]);
                four[0] = u.x;
                four[1] = u.y;
                four[2] = v.x;
                four[3] = v.y;
            }
        }
        for (int i = 0; i < 4; i++) {
            const unsigned long long at = 4 * group + i;
            if (at < position || at >= position + n) continue;
            if constexpr (kind >= __CURAND_NORMAL) to[at - position] = __curand_scaled<kind>(four[i], mean, deviation);
            else to[at - position] = four[i];
        }
    }
}

template <typename G, int kind, typename T> inline void __curand_start_states(curandGenerator_t g, T* to, size_t n, unsigned int turns, T mean, T deviation) {
    typedef typename G::Jumps J;
    if (!g->states) {
        const J jumps = G::jumps();
        cudaMalloc(&g->states, turns * sizeof(G) + sizeof(J));
        cudaMemcpy((G*)g->states + turns, &jumps, sizeof(J), cudaMemcpyHostToDevice);
    }
    const size_t items = kind >= __CURAND_NORMAL ? n / 2 : n;
    const unsigned int threads = items < turns ? (unsigned int)items : turns;
    __curand_generate<G, kind, T><<<(threads + 63) / 64, 64, 0, g->stream>>>(to, n, (G*)g->states, (const J*)((G*)g->states + turns), turns, g->seed, g->begin, g->position, mean, deviation);
    g->position += items;
}
template <int kind, typename T> inline void __curand_start(curandGenerator_t g, T* to, size_t n, T mean, T deviation) {
    if (g->type == CURAND_RNG_PSEUDO_PHILOX4_32_10) {
        __curand_generate_philox<kind, T><<<n / 4 >= 65536 ? 256 : (unsigned int)(n / 1024 + 1), 256, 0, g->stream>>>(to, n, g->seed, g->position, mean, deviation);
        g->position += n;
        g->begin += (n + 3) / 4;
    } else if (g->type == CURAND_RNG_PSEUDO_MRG32K3A) __curand_start_states<__curand_mrg, kind, T>(g, to, n, g->turns, mean, deviation);
    else __curand_start_states<__curand_xorwow, kind, T>(g, to, n, 4096, mean, deviation);
}
template <int kind, typename T> inline curandStatus_t __curand_run(curandGenerator_t g, T* to, size_t n, T mean, T deviation) {
    if (!g) return CURAND_STATUS_NOT_INITIALIZED;
    if (kind >= __CURAND_NORMAL && n % 2 != 0 && g->type != CURAND_RNG_PSEUDO_PHILOX4_32_10) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    if (n == 0) return CURAND_STATUS_SUCCESS;
    if (cudaPeekAtLastError() != cudaSuccess) return CURAND_STATUS_PREEXISTING_FAILURE;
    if (g->on_host) {
        T* there = nullptr;
        if (cudaMalloc(&there, n * sizeof(T)) != cudaSuccess) return CURAND_STATUS_ALLOCATION_FAILED;
        __curand_start<kind, T>(g, there, n, mean, deviation);
        cudaMemcpyAsync(to, there, n * sizeof(T), cudaMemcpyDeviceToHost, g->stream);
        cudaStreamSynchronize(g->stream);
        cudaFree(there);
    } else {
        __curand_start<kind, T>(g, to, n, mean, deviation);
    }
    return cudaPeekAtLastError() == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

inline curandStatus_t __curand_create(curandGenerator_t* g, curandRngType_t type, bool on_host) {
    switch (type) {
    case CURAND_RNG_PSEUDO_DEFAULT: type = CURAND_RNG_PSEUDO_XORWOW; break;
    case CURAND_RNG_PSEUDO_XORWOW:
    case CURAND_RNG_PSEUDO_MRG32K3A:
    case CURAND_RNG_PSEUDO_PHILOX4_32_10: break;
    case CURAND_RNG_PSEUDO_MTGP32: __host_refuse("cuRAND's generator CURAND_RNG_PSEUDO_MTGP32"); break;
    case CURAND_RNG_PSEUDO_MT19937: __host_refuse("cuRAND's generator CURAND_RNG_PSEUDO_MT19937"); break;
    case CURAND_RNG_QUASI_DEFAULT:
    case CURAND_RNG_QUASI_SOBOL32:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
    case CURAND_RNG_QUASI_SOBOL64:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64: __host_refuse("cuRAND's quasirandom generators (CURAND_RNG_QUASI_..)"); break;
    default: return CURAND_STATUS_TYPE_ERROR;
    }
    *g = new curandGenerator_st();
    (*g)->type = type;
    (*g)->on_host = on_host;
    (*g)->turns = 81920;
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandCreateGenerator(curandGenerator_t* g, curandRngType_t type) { return __curand_create(g, type, false); }
inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t* g, curandRngType_t type) { return __curand_create(g, type, true); }
inline curandStatus_t curandDestroyGenerator(curandGenerator_t g) {
    if (!g) return CURAND_STATUS_NOT_INITIALIZED;
    if (g->states) cudaFree(g->states);
    delete g;
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed) {
    if (!g) return CURAND_STATUS_NOT_INITIALIZED;
    // The next result has the place that it would have had; of Philox, an H200 counts fours since the offset.
    g->seed = seed;
    if (g->type == CURAND_RNG_PSEUDO_PHILOX4_32_10) g->position = g->begin;
    else g->begin = g->position;
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset) {
    if (!g) return CURAND_STATUS_NOT_INITIALIZED;
    g->position = g->begin = offset;
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream) {
    if (!g) return CURAND_STATUS_NOT_INITIALIZED;
    g->stream = stream;
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t order) {
    if (!g) return CURAND_STATUS_NOT_INITIALIZED;
    switch (order) {
    case CURAND_ORDERING_PSEUDO_BEST:
    case CURAND_ORDERING_PSEUDO_DEFAULT:
    case CURAND_ORDERING_PSEUDO_LEGACY:
        // XORWOW and Philox have one order.
        if (g->states) cudaFree(g->states);
        g->states = nullptr;
        g->turns = order == CURAND_ORDERING_PSEUDO_LEGACY ? 4096 : 81920;
        if (g->type != CURAND_RNG_PSEUDO_PHILOX4_32_10) g->begin = g->position;
        return CURAND_STATUS_SUCCESS;
    case CURAND_ORDERING_PSEUDO_SEEDED:
        if (g->type != CURAND_RNG_PSEUDO_XORWOW) return CURAND_STATUS_OUT_OF_RANGE;
        __host_refuse("cuRAND's order CURAND_ORDERING_PSEUDO_SEEDED"); break;
    case CURAND_ORDERING_PSEUDO_DYNAMIC: __host_refuse("cuRAND's order CURAND_ORDERING_PSEUDO_DYNAMIC"); break;
    default: break;
    }
    return CURAND_STATUS_OUT_OF_RANGE;
}
inline curandStatus_t curandGenerateSeeds(curandGenerator_t g) { return g ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED; }
inline curandStatus_t curandGetVersion(int* version) {
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}

inline curandStatus_t curandGenerate(curandGenerator_t g, unsigned int* to, size_t n) { return __curand_run<__CURAND_BITS, unsigned int>(g, to, n, 0, 0); }
inline curandStatus_t curandGenerateLongLong(curandGenerator_t g, unsigned long long*, size_t) { return g ? CURAND_STATUS_TYPE_ERROR : CURAND_STATUS_NOT_INITIALIZED; }
inline curandStatus_t curandGenerateUniform(curandGenerator_t g, float* to, size_t n) { return __curand_run<__CURAND_UNIFORM, float>(g, to, n, 0, 0); }
inline curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double* to, size_t n) { return __curand_run<__CURAND_UNIFORM, double>(g, to, n, 0, 0); }
inline curandStatus_t curandGenerateNormal(curandGenerator_t g, float* to, size_t n, float mean, float deviation) { return __curand_run<__CURAND_NORMAL, float>(g, to, n, mean, deviation); }
inline curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double* to, size_t n, double mean, double deviation) { return __curand_run<__CURAND_NORMAL, double>(g, to, n, mean, deviation); }
inline curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float* to, size_t n, float mean, float deviation) { return __curand_run<__CURAND_LOG_NORMAL, float>(g, to, n, mean, deviation); }
inline curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double* to, size_t n, double mean, double deviation) { return __curand_run<__CURAND_LOG_NORMAL, double>(g, to, n, mean, deviation); }
inline curandStatus_t curandGeneratePoisson(curandGenerator_t, unsigned int*, size_t, double) {
    __host_refuse("curandGeneratePoisson: which method NVIDIA's library takes is not documented");
    return CURAND_STATUS_INTERNAL_ERROR;
}
