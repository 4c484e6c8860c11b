// Integers of 128 bits: `__int128`, `unsigned __int128`.
#ifndef __INT128_TEXT
#define __INT128_TEXT
#define __SIZEOF_INT128__ 16
#define FN __host__ __device__ constexpr
struct __int128_t;
#define FROM(W, T) FN W(T x) : __low((unsigned long long)x), __high(x < 0 ? ~0ull : 0) {}
#define FROM_UNSIGNED(W, T) FN W(T x) : __low(x), __high(0) {}
#define TO(T) FN operator T() const { return (T)__low; }
#define BOTH(W) \
    unsigned long long __low, __high; \
    W() = default; \
    FN W(unsigned long long low, unsigned long long high) : __low(low), __high(high) {} \
    FROM(W, int) FROM(W, long) FROM(W, long long) \
    FROM_UNSIGNED(W, unsigned int) FROM_UNSIGNED(W, unsigned long) FROM_UNSIGNED(W, unsigned long long) \
    FN W(double x) : __low(0), __high(0) { \
        const double size = x < 0 ? -x : x; \
        __high = (unsigned long long)(size * 0x1p-64); \
        __low = (unsigned long long)(size - __high * 0x1p64); \
        if (x < 0) { \
            __high = ~__high + (__low == 0); \
            __low = 0 - __low; \
        } \
    } \
    TO(char) TO(signed char) TO(unsigned char) TO(short) TO(unsigned short) TO(int) TO(unsigned int) TO(long) \
    TO(unsigned long) TO(long long) TO(unsigned long long) \
    FN operator bool() const { return (__low | __high) != 0; } \
    FN W operator~() const { return W(~__low, ~__high); } \
    FN W operator+() const { return *this; } \
    FN W operator-() const { return W(0 - __low, ~__high + (__low == 0)); } \
    FN W& operator+=(W b) { return *this = *this + b; } \
    FN W& operator-=(W b) { return *this = *this - b; } \
    FN W& operator*=(W b) { return *this = *this * b; } \
    FN W& operator/=(W b) { return *this = *this / b; } \
    FN W& operator%=(W b) { return *this = *this % b; } \
    FN W& operator&=(W b) { return *this = *this & b; } \
    FN W& operator|=(W b) { return *this = *this | b; } \
    FN W& operator^=(W b) { return *this = *this ^ b; } \
    FN W& operator<<=(int n) { return *this = *this << n; } \
    FN W& operator>>=(int n) { return *this = *this >> n; } \
    FN W& operator++() { return *this = *this + W(1); } \
    FN W& operator--() { return *this = *this - W(1); } \
    FN W operator++(int) { W old = *this; *this = old + W(1); return old; } \
    FN W operator--(int) { W old = *this; *this = old - W(1); return old; }
struct __align__(16) __uint128_t {
    BOTH(__uint128_t)
    FN __uint128_t(const __int128_t& x);
    FN operator double() const {
        if (__high == 0) return (double)__low;
        unsigned long long top = __high, rest = __low;
        int shift = 64;
        for (; !(top >> 63); --shift, rest <<= 1) top = top << 1 | rest >> 63;
        double value = (double)(rest != 0 ? top | 1 : top);
        for (; shift > 0; --shift) value *= 2;
        return value;
    }
    FN operator float() const {
        unsigned long long top = __high, rest = __low;
        int shift = 64;
        if (top == 0) return (float)rest;
        for (; !(top >> 63); --shift, rest <<= 1) top = top << 1 | rest >> 63;
        float value = (float)(rest != 0 ? top | 1 : top);
        for (; shift > 0; --shift) value *= 2;
        return value;
    }
};
struct __align__(16) __int128_t {
    BOTH(__int128_t)
    FN __int128_t(const __uint128_t& x) : __low(x.__low), __high(x.__high) {}
    FN bool __negative() const { return __high >> 63; }
    FN __uint128_t __size() const { return __negative() ? __uint128_t(0 - __low, ~__high + (__low == 0)) : __uint128_t(__low, __high); }
    FN operator double() const { return __negative() ? -(double)__size() : (double)__size(); }
    FN operator float() const { return __negative() ? -(float)__size() : (float)__size(); }
};
FN __uint128_t::__uint128_t(const __int128_t& x) : __low(x.__low), __high(x.__high) {}

#define BITS(W) \
    FN W operator+(W a, W b) { return W(a.__low + b.__low, a.__high + b.__high + (a.__low + b.__low < a.__low)); } \
    FN W operator-(W a, W b) { return W(a.__low - b.__low, a.__high - b.__high - (a.__low < b.__low)); } \
    FN W operator&(W a, W b) { return W(a.__low & b.__low, a.__high & b.__high); } \
    FN W operator|(W a, W b) { return W(a.__low | b.__low, a.__high | b.__high); } \
    FN W operator^(W a, W b) { return W(a.__low ^ b.__low, a.__high ^ b.__high); } \
    FN W operator<<(W a, int n) { \
        return n == 0 ? a : n >= 64 ? W(0ull, a.__low << (n - 64)) : W(a.__low << n, a.__high << n | a.__low >> (64 - n)); \
    } \
    FN W operator*(W a, W b) { \
        const unsigned long long m = 0xffffffffull, al = a.__low & m, ah = a.__low >> 32, bl = b.__low & m, bh = b.__low >> 32; \
        const unsigned long long middle = al * bh + (al * bl >> 32), other = ah * bl + (middle & m); \
        return W(a.__low * b.__low, ah * bh + (middle >> 32) + (other >> 32) + a.__low * b.__high + a.__high * b.__low); \
    } \
    FN bool operator==(W a, W b) { return a.__low == b.__low && a.__high == b.__high; } \
    FN bool operator!=(W a, W b) { return !(a == b); } \
    FN bool operator>(W a, W b) { return b < a; } \
    FN bool operator<=(W a, W b) { return !(b < a); } \
    FN bool operator>=(W a, W b) { return !(a < b); }
FN bool operator<(__uint128_t a, __uint128_t b) { return a.__high != b.__high ? a.__high < b.__high : a.__low < b.__low; }
FN bool operator<(__int128_t a, __int128_t b) { return a.__high != b.__high ? (long long)a.__high < (long long)b.__high : a.__low < b.__low; }
BITS(__uint128_t)
BITS(__int128_t)
FN __uint128_t operator>>(__uint128_t a, int n) {
    return n == 0 ? a : n >= 64 ? __uint128_t(a.__high >> (n - 64), 0ull) : __uint128_t(a.__low >> n | a.__high << (64 - n), a.__high >> n);
}
FN __int128_t operator>>(__int128_t a, int n) {
    const long long high = (long long)a.__high;
    return n == 0    ? a
           : n >= 64 ? __int128_t((unsigned long long)(high >> (n - 64)), (unsigned long long)(high >> 63))
                     : __int128_t(a.__low >> n | a.__high << (64 - n), (unsigned long long)(high >> n));
}
// A digit of 32 bits of a quotient: D. Knuth, The Art of Computer Programming, 4.3.1, algorithm D.
FN unsigned long long __digit128(unsigned long long high, unsigned long long next, unsigned long long by) {
    const unsigned long long first = by >> 32, second = by & 0xffffffffull;
    unsigned long long digit = high / first, rest = high - digit * first;
    while (digit >> 32 || digit * second > (rest << 32 | next)) {
        --digit;
        rest += first;
        if (rest >> 32) break;
    }
    return digit;
}
FN __uint128_t __divided128(__uint128_t a, __uint128_t b, bool remainder) {
    if (b.__high == 0 && a.__high == 0) return __uint128_t(remainder ? a.__low % b.__low : a.__low / b.__low, 0ull);
    if (b.__high == 0) {
        int shift = 0;
        unsigned long long by = b.__low, top = a.__high % b.__low;
        for (; !(by >> 63); ++shift) by <<= 1;
        const unsigned long long high = shift == 0 ? top : top << shift | a.__low >> (64 - shift), low = a.__low << shift;
        const unsigned long long one = __digit128(high, low >> 32, by);
        const unsigned long long middle = (high << 32 | low >> 32) - one * by;
        const unsigned long long two = __digit128(middle, low & 0xffffffffull, by);
        if (remainder) return __uint128_t(((middle << 32 | (low & 0xffffffffull)) - two * by) >> shift, 0ull);
        return __uint128_t(one << 32 | two, a.__high / b.__low);
    }
    __uint128_t quotient(0ull, 0ull);
    int shift = 0;
    for (; !(b.__high >> 63) && (b << 1) <= a; ++shift) b = b << 1;
    for (; shift >= 0; --shift, b = b >> 1) {
        quotient = quotient << 1;
        if (b <= a) {
            a = a - b;
            quotient.__low |= 1;
        }
    }
    return remainder ? a : quotient;
}
FN __uint128_t operator/(__uint128_t a, __uint128_t b) { return __divided128(a, b, false); }
FN __uint128_t operator%(__uint128_t a, __uint128_t b) { return __divided128(a, b, true); }
FN __int128_t operator/(__int128_t a, __int128_t b) {
    const __int128_t size = __divided128(a.__size(), b.__size(), false);
    return a.__negative() != b.__negative() ? -size : size;
}
FN __int128_t operator%(__int128_t a, __int128_t b) {
    const __int128_t size = __divided128(a.__size(), b.__size(), true);
    return a.__negative() ? -size : size;
}
#undef BITS
#undef BOTH
#undef TO
#undef FROM
#undef FROM_UNSIGNED
#undef FN
#endif
