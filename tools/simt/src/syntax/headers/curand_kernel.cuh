// cuRAND's device functions of the generator XORWOW: G. Marsaglia, "Xorshift RNGs", Journal of
// Statistical Software 8 (14), 2003. Subsequences are 2^67 numbers apart.
//
// A step is a linear map of the five words, so n steps are a polynomial in it, modulo its
// characteristic polynomial: 160 bits, of which word 0 has the lowest powers. Row 15 k + d - 1 of a table
// is for d 16^k jumps.
#define CURAND_KERNEL_H_
#include <__curand_tables>
struct curandStateXORWOW {
    unsigned int d, v[5];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
struct __curand_words {
    unsigned int a, b, c, d, e;
};
__device__ inline __curand_words __curand_step(__curand_words s) {
    unsigned int t = s.a ^ (s.a >> 2);
    return __curand_words{s.b, s.c, s.d, s.e, (s.e ^ (s.e << 4)) ^ (t ^ (t << 1))};
}
__device__ inline __curand_words __curand_jump(const unsigned int (*rows)[5], unsigned long long jumps,
                                               __curand_words s) {
    for (; jumps != 0; jumps >>= 4, rows += 15) {
        unsigned int digit = jumps & 15;
        if (digit == 0) continue;
        __curand_words sum = {0, 0, 0, 0, 0};
        for (int word = 0; word < 5; word++) {
            unsigned int bits = rows[digit - 1][word];
            for (int bit = 0; bit < 32; bit++, bits >>= 1) {
                unsigned int mask = 0u - (bits & 1);
                sum = __curand_words{sum.a ^ (s.a & mask), sum.b ^ (s.b & mask), sum.c ^ (s.c & mask),
                                     sum.d ^ (s.d & mask), sum.e ^ (s.e & mask)};
                s = __curand_step(s);
            }
        }
        s = sum;
    }
    return s;
}
__device__ inline void __curand_move(const unsigned int (*rows)[5], unsigned long long jumps,
                                     curandStateXORWOW* state) {
    __curand_words s = {state->v[0], state->v[1], state->v[2], state->v[3], state->v[4]};
    s = __curand_jump(rows, jumps, s);
    state->v[0] = s.a;
    state->v[1] = s.b;
    state->v[2] = s.c;
    state->v[3] = s.d;
    state->v[4] = s.e;
}
__device__ inline void skipahead(unsigned long long n, curandStateXORWOW* state) {
    __curand_move(__curand_of_offset, n, state);
    state->d += 362437u * (unsigned int)n;
}
__device__ inline void skipahead_sequence(unsigned long long n, curandStateXORWOW* state) {
    __curand_move(__curand_of_subsequence, n, state);
}
__device__ inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                                   unsigned long long offset, curandStateXORWOW* state) {
    unsigned int low = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u);
    unsigned int high = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
    __curand_words s = {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high,
                        5783321u + low};
    s = __curand_jump(__curand_of_subsequence, subsequence, s);
    s = __curand_jump(__curand_of_offset, offset, s);
    state->d = 6615241u + high + low + 362437u * (unsigned int)offset;
    state->v[0] = s.a;
    state->v[1] = s.b;
    state->v[2] = s.c;
    state->v[3] = s.d;
    state->v[4] = s.e;
    state->boxmuller_flag = 0;
    state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0.0f;
    state->boxmuller_extra_double = 0.0;
}
__device__ inline unsigned int curand(curandStateXORWOW* state) {
    unsigned int t = state->v[0] ^ (state->v[0] >> 2);
    state->v[0] = state->v[1];
    state->v[1] = state->v[2];
    state->v[2] = state->v[3];
    state->v[3] = state->v[4];
    state->v[4] = (state->v[4] ^ (state->v[4] << 4)) ^ (t ^ (t << 1));
    state->d += 362437u;
    return state->v[4] + state->d;
}
// In (0, 1]: the float nearest to a number, by 2^-32, and half of that.
__device__ inline float __curand_float(unsigned int x) { return x * 0x1p-32f + 0x1p-33f; }
template <typename S> __device__ inline float curand_uniform(S* state) { return __curand_float(curand(state)); }
// Box and Muller's pairs, from two numbers each.
__device__ inline float2 __curand_pair(unsigned int x, unsigned int y) {
    float length = sqrtf(-2.0f * logf(__curand_float(x)));
    float angle = y * (0x1p-32f * 6.2831855f) + 0x1p-33f * 6.2831855f;
    float2 pair;
    __sincosf(angle, &pair.x, &pair.y);
    pair.x *= length;
    pair.y *= length;
    return pair;
}
template <typename S> __device__ inline float2 curand_normal2(S* state) {
    unsigned int x = curand(state);
    return __curand_pair(x, curand(state));
}
template <typename S> __device__ inline float curand_normal(S* state) {
    const int kept = 1;
    if (state->boxmuller_flag == kept) {
        state->boxmuller_flag = 0;
        return state->boxmuller_extra;
    }
    float2 pair = curand_normal2(state);
    state->boxmuller_extra = pair.y;
    state->boxmuller_flag = kept;
    return pair.x;
}
template <typename S> __device__ inline float curand_log_normal(S* state, float mean, float deviation) {
    return expf(mean + deviation * curand_normal(state));
}
#include <__curand_more>
// The generators of the host, which are in the header of the kernels, too.
#include <curand.h>
