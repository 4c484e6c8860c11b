// <cuda/std/bit>: the bits of unsigned integers.
#ifndef __CUDA_BIT_TEXT
#define __CUDA_BIT_TEXT
namespace cuda {
namespace std {
template <typename T> constexpr int popcount(T x) {
    int n = 0;
    for (; x != 0; x = (T)(x & (x - 1))) ++n;
    return n;
}
template <typename T> constexpr int bit_width(T x) {
    int n = 0;
    for (; x != 0; x = (T)(x >> 1)) ++n;
    return n;
}
template <typename T> constexpr int countl_zero(T x) { return (int)sizeof(T) * 8 - bit_width(x); }
template <typename T> constexpr int countr_zero(T x) { return x == 0 ? (int)sizeof(T) * 8 : popcount((T)((x & (0 - x)) - 1)); }
template <typename T> constexpr int countl_one(T x) { return countl_zero((T)~x); }
template <typename T> constexpr int countr_one(T x) { return countr_zero((T)~x); }
template <typename T> constexpr bool has_single_bit(T x) { return x != 0 && (x & (x - 1)) == 0; }
template <typename T> constexpr T bit_floor(T x) { return x == 0 ? x : (T)((T)1 << (bit_width(x) - 1)); }
template <typename T> constexpr T bit_ceil(T x) { return x <= 1 ? (T)1 : (T)((T)1 << bit_width((T)(x - 1))); }
template <typename T> constexpr T rotl(T x, int n) {
    const int bits = (int)sizeof(T) * 8, by = (n % bits + bits) % bits;
    return by == 0 ? x : (T)(x << by | x >> (bits - by));
}
template <typename T> constexpr T rotr(T x, int n) { return rotl(x, -n); }
template <typename To, typename From> To bit_cast(const From& x) {
    static_assert(sizeof(To) == sizeof(From), "a cast of bits keeps their number");
    return *(const To*)&x;
}
}
}
#endif
