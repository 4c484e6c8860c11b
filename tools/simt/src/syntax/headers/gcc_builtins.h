// Built-in functions of GCC that the host compiler and nvcc accept in any code. Read only by units
// that name one. Those of memory and strings are the library's; the others are plain C++.

#define __builtin_memcpy memcpy
#define __builtin_memmove memmove
#define __builtin_memset memset
#define __builtin_memcmp memcmp
#define __builtin_memchr memchr
#define __builtin_strlen strlen
#define __builtin_strcmp strcmp
#define __builtin_strncmp strncmp
#define __builtin_strcpy strcpy
#define __builtin_strchr strchr
#define __builtin_printf printf
#define __builtin_malloc malloc
#define __builtin_free free
#define __builtin_abort abort
#define __builtin_exit exit
#define __builtin_alloca alloca
#define __builtin_offsetof offsetof
#define __builtin_abs abs
#define __builtin_labs labs
#define __builtin_fabs fabs
#define __builtin_fabsf fabsf
#define __builtin_sqrt sqrt
#define __builtin_sqrtf sqrtf
#define __builtin_fma fma
#define __builtin_fmaf fmaf
#define __builtin_fmin fmin
#define __builtin_fminf fminf
#define __builtin_fmax fmax
#define __builtin_fmaxf fmaxf
#define __builtin_floor floor
#define __builtin_floorf floorf
#define __builtin_ceil ceil
#define __builtin_ceilf ceilf
#define __builtin_isnan isnan
#define __builtin_isinf isinf
#define __builtin_isfinite isfinite
#define __builtin_signbit signbit
#define __builtin_copysign copysign
#define __builtin_copysignf copysignf
#define __builtin_inf() ((double)INFINITY)
#define __builtin_inff() ((float)INFINITY)
#define __builtin_huge_val() ((double)INFINITY)
#define __builtin_huge_valf() ((float)INFINITY)
#define __builtin_nan(text) ((double)NAN)
#define __builtin_nanf(text) ((float)NAN)
#define __builtin_prefetch(...) ((void)0)
// Never known, which is one of the answers that GCC gives.
#define __builtin_constant_p(x) 0

#define FN __host__ __device__ constexpr

FN int __builtin_popcountll(unsigned long long x) {
    int n = 0;
    for (; x != 0; x &= x - 1) ++n;
    return n;
}
FN int __builtin_popcountl(unsigned long x) { return __builtin_popcountll(x); }
FN int __builtin_popcount(unsigned int x) { return __builtin_popcountll(x); }
FN int __builtin_parityll(unsigned long long x) { return __builtin_popcountll(x) & 1; }
FN int __builtin_parityl(unsigned long x) { return __builtin_popcountll(x) & 1; }
FN int __builtin_parity(unsigned int x) { return __builtin_popcountll(x) & 1; }
FN int __builtin_ctzll(unsigned long long x) { return __builtin_popcountll(~x & (x - 1)); }
FN int __builtin_ctzl(unsigned long x) { return __builtin_ctzll(x); }
FN int __builtin_ctz(unsigned int x) { return __builtin_ctzll(x); }
FN int __builtin_clzll(unsigned long long x) {
    int n = 64;
    for (; x != 0; x >>= 1) --n;
    return n;
}
FN int __builtin_clzl(unsigned long x) { return __builtin_clzll(x); }
FN int __builtin_clz(unsigned int x) { return __builtin_clzll(x) - 32; }
FN int __builtin_ffsll(long long x) { return x == 0 ? 0 : __builtin_ctzll(x) + 1; }
FN int __builtin_ffsl(long x) { return __builtin_ffsll(x); }
FN int __builtin_ffs(int x) { return __builtin_ffsll(x); }
FN int __builtin_clrsb(int x) { return __builtin_clz((unsigned int)(x < 0 ? ~x : x)) - 1; }
FN unsigned short __builtin_bswap16(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }
FN unsigned int __builtin_bswap32(unsigned int x) {
    return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}
FN unsigned long long __builtin_bswap64(unsigned long long x) {
    return (unsigned long long)__builtin_bswap32((unsigned int)x) << 32 |
           __builtin_bswap32((unsigned int)(x >> 32));
}

#undef FN
