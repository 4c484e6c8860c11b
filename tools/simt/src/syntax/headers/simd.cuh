// SIMD instructions on the two halfwords or four bytes of a word. CUDA declares them without an
// #include; this file is read only if the unit names one. An expression uses a and b of one part; S
// and U apply it to signed and to unsigned parts, for two and for four parts per word.

#define FN __device__ __forceinline__
#define LANES(name, bits, T, expr) \
    FN unsigned int name(unsigned int x, unsigned int y) { \
        const int span = 1 << bits; \
        unsigned int r = 0; \
        for (int i = 0; i < 32; i += bits) { \
            const int a = (T)(x >> i), b = (T)(y >> i); \
            r |= ((unsigned int)(expr) & (unsigned int)(span - 1)) << i; \
        } \
        return r; \
    }
#define LANE(name, bits, expr, T) \
    FN unsigned int name(unsigned int x) { \
        const int span = 1 << bits; \
        unsigned int r = 0; \
        for (int i = 0; i < 32; i += bits) { \
            const int a = (T)(x >> i); \
            r |= ((unsigned int)(expr) & (unsigned int)(span - 1)) << i; \
        } \
        return r; \
    }
#define SUM(name, bits, T) \
    FN unsigned int name(unsigned int x, unsigned int y) { \
        unsigned int r = 0; \
        for (int i = 0; i < 32; i += bits) { \
            const int a = (T)(x >> i), b = (T)(y >> i); \
            r += (unsigned int)(a > b ? a - b : b - a); \
        } \
        return r; \
    }
#define S(name, expr) LANES(name##2, 16, short, expr) LANES(name##4, 8, signed char, expr)
#define U(name, expr) LANES(name##2, 16, unsigned short, expr) LANES(name##4, 8, unsigned char, expr)
#define ONE(name, expr) LANE(name##2, 16, expr, short) LANE(name##4, 8, expr, signed char)
#define SIGNED(v) min(max(v, -span / 2), span / 2 - 1)
#define UNSIGNED(v) min(max(v, 0), span - 1)
#define COMPARE(name, op) \
    S(__vcmp##name##s, a op b ? -1 : 0) S(__vset##name##s, a op b ? 1 : 0) \
    U(__vcmp##name##u, a op b ? -1 : 0) U(__vset##name##u, a op b ? 1 : 0)

U(__vadd, a + b)
S(__vaddss, SIGNED(a + b))
U(__vaddus, UNSIGNED(a + b))
U(__vsub, a - b)
S(__vsubss, SIGNED(a - b))
U(__vsubus, UNSIGNED(a - b))
S(__vavgs, (a + b + (a + b >= 0 ? 1 : 0)) >> 1)
U(__vavgu, (a + b + 1) >> 1)
U(__vhaddu, (a + b) >> 1)
S(__vabsdiffs, a > b ? a - b : b - a)
U(__vabsdiffu, a > b ? a - b : b - a)
S(__vmaxs, max(a, b))
U(__vmaxu, max(a, b))
S(__vmins, min(a, b))
U(__vminu, min(a, b))
U(__vcmpeq, a == b ? -1 : 0)
U(__vcmpne, a != b ? -1 : 0)
U(__vseteq, a == b ? 1 : 0)
U(__vsetne, a != b ? 1 : 0)
COMPARE(ge, >=)
COMPARE(gt, >)
COMPARE(le, <=)
COMPARE(lt, <)
ONE(__vabs, a < 0 ? -a : a)
ONE(__vabsss, SIGNED(a < 0 ? -a : a))
ONE(__vneg, -a)
ONE(__vnegss, SIGNED(-a))
SUM(__vsads2, 16, short)
SUM(__vsads4, 8, signed char)
SUM(__vsadu2, 16, unsigned short)
SUM(__vsadu4, 8, unsigned char)

// The instructions of dynamic programming.
LANES(__max_s16x2, 16, short, max(a, b))
LANES(__max_u16x2, 16, unsigned short, max(a, b))
LANES(__min_s16x2, 16, short, min(a, b))
LANES(__min_u16x2, 16, unsigned short, min(a, b))
LANES(__add_u16x2, 16, unsigned short, a + b)
LANES(__add_s16x2, 16, short, a + b)
FN int __max_s32(int a, int b) { return max(a, b); }
FN int __min_s32(int a, int b) { return min(a, b); }
FN unsigned int __max_u32(unsigned int a, unsigned int b) { return max(a, b); }
FN unsigned int __min_u32(unsigned int a, unsigned int b) { return min(a, b); }
FN int __add_s32(int a, int b) { return (int)((unsigned int)a + (unsigned int)b); }
FN unsigned int __add_u32(unsigned int a, unsigned int b) { return a + b; }
#define EXTREME(T, kind, way) \
    FN T __vi##way##3_##kind(T a, T b, T c) { return __##way##_##kind(__##way##_##kind(a, b), c); } \
    FN T __viadd##way##_##kind(T a, T b, T c) { return __##way##_##kind(__add_##kind(a, b), c); }
#define RELU(T, kind, way) \
    FN T __vi##way##_##kind##_relu(T a, T b) { return __max_##kind(__##way##_##kind(a, b), 0); } \
    FN T __vi##way##3_##kind##_relu(T a, T b, T c) { return __max_##kind(__vi##way##3_##kind(a, b, c), 0); } \
    FN T __viadd##way##_##kind##_relu(T a, T b, T c) { return __max_##kind(__viadd##way##_##kind(a, b, c), 0); }
#define WHICH(T, kind, way) \
    FN T __vib##way##_##kind(T a, T b, bool* pred) { *pred = __##way##_##kind(a, b) == a; return __##way##_##kind(a, b); }
#define WHICH2(kind, way) \
    FN unsigned int __vib##way##_##kind(unsigned int a, unsigned int b, bool* high, bool* low) { \
        const unsigned int r = __##way##_##kind(a, b); \
        *high = (r ^ a) >> 16 == 0; \
        *low = ((r ^ a) & 0xffffu) == 0; \
        return r; \
    }
#define BOTH(way) \
    EXTREME(int, s32, way) EXTREME(unsigned int, u32, way) \
    EXTREME(unsigned int, s16x2, way) EXTREME(unsigned int, u16x2, way) \
    RELU(int, s32, way) RELU(unsigned int, s16x2, way) \
    WHICH(int, s32, way) WHICH(unsigned int, u32, way) WHICH2(s16x2, way) WHICH2(u16x2, way)
BOTH(max)
BOTH(min)

#undef BOTH
#undef WHICH2
#undef WHICH
#undef RELU
#undef EXTREME
#undef COMPARE
#undef UNSIGNED
#undef SIGNED
#undef ONE
#undef U
#undef S
#undef SUM
#undef LANE
#undef LANES
#undef FN
