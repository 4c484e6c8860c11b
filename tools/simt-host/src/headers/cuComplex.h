// <cuComplex.h>: complex numbers as float2 and double2.
#pragma once
#define CU_COMPLEX_H_
#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define __C inline __host__ __device__
#define __COMPLEX(S, T, C, make, suffix)                                                          \
    __C C make_##C(T re, T im) { return make(re, im); }                                           \
    __C T cuCreal##suffix(C z) { return z.x; }                                                    \
    __C T cuCimag##suffix(C z) { return z.y; }                                                    \
    __C C cuConj##suffix(C z) { return make(z.x, -z.y); }                                         \
    __C C cuCadd##suffix(C a, C b) { return make(a.x + b.x, a.y + b.y); }                         \
    __C C cuCsub##suffix(C a, C b) { return make(a.x - b.x, a.y - b.y); }                         \
    __C C cuCmul##suffix(C a, C b) { return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); } \
    __C C cuCdiv##suffix(C a, C b) {                                                              \
        T s = 1 / (fabs(b.x) + fabs(b.y)), ar = a.x * s, ai = a.y * s, br = b.x * s, bi = b.y * s; \
        T n = 1 / (br * br + bi * bi);                                                            \
        return make((ar * br + ai * bi) * n, (ai * br - ar * bi) * n);                            \
    }                                                                                             \
    __C T cuCabs##suffix(C z) { return hypot(z.x, z.y); }
__COMPLEX(S, float, cuFloatComplex, make_float2, f)
__COMPLEX(D, double, cuDoubleComplex, make_double2, )
__C cuComplex make_cuComplex(float re, float im) { return make_float2(re, im); }
__C cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_double2(z.x, z.y); }
__C cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) { return make_float2((float)z.x, (float)z.y); }
#undef __COMPLEX
#undef __C
