// <mma.h>: products of matrices by a warp, on mma.sync.
//
// A product is computed as tiles of 16 by 8 (doubles: 8 by 8): the left factor is cut into tiles of rows, the
// right one into tiles of columns. Where m is 8, the two change places, and so do rows and columns. The
// elements of a tile are in the registers where mma.sync wants them (PTX ISA, "Matrix Fragments for mma").
#ifndef __MMA_TEXT
#define __MMA_TEXT
#include <cuda_fp16.h>
#include <cuda_bf16.h>

namespace nvcuda { namespace wmma {

enum layout_t { mem_row_major, mem_col_major };
struct row_major { static const bool rows = true; };
struct col_major { static const bool rows = false; };
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision { struct tf32; }

// How an element is stored, how many of them a register holds, and which products there are.
template <typename T> struct __element { typedef T type; static const int parts = sizeof(T) >= 4 ? 1 : 4 / sizeof(T); };
template <> struct __element<precision::tf32> { typedef float type; static const int parts = 1; };
template <typename T, int m, int n, int k> struct __exists {
    static const bool value = sizeof(T) <= 2 && k == 16 && (m == 16 && n == 16 || m == 32 && n == 8 || m == 8 && n == 32);
};
template <int m, int n, int k> struct __exists<precision::tf32, m, n, k> { static const bool value = m == 16 && n == 16 && k == 8; };
template <int m, int n, int k> struct __exists<double, m, n, k> { static const bool value = m == 8 && n == 8 && k == 4; };

template <typename Use, int m, int n, int k, typename T, typename Layout = void> struct fragment;

#define __FRAGMENT(count)                             \
    typedef typename __element<T>::type element_type; \
    typedef element_type storage_element_type;        \
    static const int num_elements = count;            \
    __align__(16) element_type x[count];
template <int m, int n, int k, typename T, typename Layout> struct fragment<matrix_a, m, n, k, T, Layout> {
    static_assert(__exists<T, m, n, k>::value, "no fragment has this shape and type");
    __FRAGMENT(m * k / 32)
};
template <int m, int n, int k, typename T, typename Layout> struct fragment<matrix_b, m, n, k, T, Layout> {
    static_assert(__exists<T, m, n, k>::value, "no fragment has this shape and type");
    __FRAGMENT(k * n / 32)
};
template <int m, int n, int k, typename T> struct fragment<accumulator, m, n, k, T, void> { __FRAGMENT(m * n / 32) };
#undef __FRAGMENT

__device__ inline unsigned int __lane() { return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32; }
__device__ inline float __float_to_tf32(float a) {
    unsigned int bits = __float_as_uint(a), size = bits & 0x7fffffffu;
    if (size < 0x7f800000u) bits += 0x1000u;  // to nearest, ties away from zero
    return __uint_as_float(bits & 0xffffe000u);
}

template <typename Use, int m, int n, int k, typename T, typename Layout, typename V>
__device__ inline void fill_fragment(fragment<Use, m, n, k, T, Layout>& to, const V& value) {
    for (int i = 0; i < to.num_elements; i++) to.x[i] = value;
}

// Elements of two bytes come as matrices of 8 by 8. `along`: k runs along the rows in memory.
template <bool along> __device__ inline void __four(void* to, const unsigned short* from) {
    if (along) __builtin_ldmatrix_x4(to, from);
    else __builtin_ldmatrix_x4_trans(to, from);
}
template <int tiles, bool along> __device__ inline void __load_left(unsigned short* to, const unsigned short* from, unsigned int row) {
    unsigned int lane = __lane();
    for (int tile = 0; tile < tiles; tile++) {
        unsigned int i = tile * 16 + (along ? lane % 16 : lane / 8 % 2 * 8), l = along ? lane / 16 * 8 : lane / 16 * 8 + lane % 8;
        __four<along>(to + tile * 8, from + (along ? i * row + l : l * row + i));
    }
}
template <int tiles, bool along> __device__ inline void __load_right(unsigned short* to, const unsigned short* from, unsigned int row) {
    unsigned int lane = __lane(), tile = lane / 16 % tiles;
    unsigned int j = tile * 8 + (along ? lane % 8 : 0), l = lane / 8 % 2 * 8 + (along ? 0 : lane % 8);
    from += along ? j * row + l : l * row + j;
    if (tiles == 2) __four<along>(to, from);
    else if (along) __builtin_ldmatrix_x2(to, from);
    else __builtin_ldmatrix_x2_trans(to, from);
}

// The others come one by one. `parts` of them share a register.
template <int tiles, bool along, int parts, typename T> __device__ inline void __load_left(T* to, const T* from, unsigned int row) {
    const unsigned int halves = sizeof(T) == 8 ? 1 : 2, count = sizeof(T) == 8 ? 1 : sizeof(T) == 1 ? 2 : 4;
    unsigned int lane = __lane();
    for (unsigned int e = 0; e < tiles * count * parts; e++) {
        unsigned int tile = e / (count * parts), reg = e / parts % count, part = e % parts;
        unsigned int i = tile * 16 + lane / 4 + reg % halves * 8, l = (lane % 4 + reg / halves * 4) * parts + part;
        to[e] = from[along ? i * row + l : l * row + i];
    }
}
template <int tiles, bool along, int parts, typename T> __device__ inline void __load_right(T* to, const T* from, unsigned int row) {
    const unsigned int count = sizeof(T) == 4 ? 2 : 1;
    unsigned int lane = __lane();
    for (unsigned int e = 0; e < tiles * count * parts; e++) {
        unsigned int tile = e / (count * parts), reg = e / parts % count, part = e % parts;
        unsigned int j = tile * 8 + lane / 4, l = (lane % 4 + reg * 4) * parts + part;
        to[e] = from[along ? j * row + l : l * row + j];
    }
}

// A factor that is on the left, or on the right, of the tiles' products.
template <int tiles, bool along, int parts, bool left, typename T, typename P>
__device__ inline void __load_factor(T* to, const P* from, unsigned int row) {
    __syncwarp();
    if (parts == 2) {
        unsigned short* bits = reinterpret_cast<unsigned short*>(to);
        const unsigned short* memory = reinterpret_cast<const unsigned short*>(from);
        if (left) __load_left<tiles, along>(bits, memory, row);
        else __load_right<tiles, along>(bits, memory, row);
    } else {
        if (left) __load_left<tiles, along, parts>(to, from, row);
        else __load_right<tiles, along, parts>(to, from, row);
    }
}
template <int m, int n, int k, typename T, typename Layout, typename P>
__device__ inline void load_matrix_sync(fragment<matrix_a, m, n, k, T, Layout>& to, const P* from, unsigned int row) {
    const bool left = m != 8 || n == 8;
    __load_factor<(left ? (m + 15) / 16 : m / 8), Layout::rows, __element<T>::parts, left>(to.x, from, row);
}
template <int m, int n, int k, typename T, typename Layout, typename P>
__device__ inline void load_matrix_sync(fragment<matrix_b, m, n, k, T, Layout>& to, const P* from, unsigned int row) {
    const bool left = m == 8 && n != 8;
    __load_factor<(left ? n / 16 : n / 8), !Layout::rows, __element<T>::parts, left>(to.x, from, row);
}

// Where an element of the sums is in memory: tiles beside each other where m is 16, else below each other.
template <int m, int n, typename T> __device__ inline unsigned int __place(unsigned int e, unsigned int row, bool rows) {
    const unsigned int each = sizeof(T) == 8 ? 2 : 4;
    unsigned int lane = __lane(), tile = e / each, at = e % each;
    unsigned int i = lane / 4 + at / 2 * 8 + (m == 16 ? 0 : tile * 16), j = lane % 4 * 2 + at % 2 + (m == 16 ? tile * 8 : 0);
    return (m == 8 && n != 8) != rows ? i * row + j : j * row + i;
}
// Neighbours of a row move together.
__device__ inline void __two(float* to, const float* from) { *reinterpret_cast<float2*>(to) = *reinterpret_cast<const float2*>(from); }
__device__ inline void __two(double* to, const double* from) { *reinterpret_cast<double2*>(to) = *reinterpret_cast<const double2*>(from); }
__device__ inline void __two(int* to, const int* from) { *reinterpret_cast<int2*>(to) = *reinterpret_cast<const int2*>(from); }
__device__ inline void __two(__half* to, const __half* from) { *reinterpret_cast<unsigned int*>(to) = *reinterpret_cast<const unsigned int*>(from); }
template <int m, int n, int k, typename T>
__device__ inline void load_matrix_sync(fragment<accumulator, m, n, k, T>& to, const T* from, unsigned int row, layout_t layout) {
    __syncwarp();
    if ((m == 8 && n != 8) != (layout == mem_row_major)) {
        for (int e = 0; e < to.num_elements; e += 2) __two(to.x + e, from + __place<m, n, T>(e, row, layout == mem_row_major));
    } else {
        for (int e = 0; e < to.num_elements; e++) to.x[e] = from[__place<m, n, T>(e, row, layout == mem_row_major)];
    }
}
template <int m, int n, int k, typename T>
__device__ inline void store_matrix_sync(T* to, const fragment<accumulator, m, n, k, T>& from, unsigned int row, layout_t layout) {
    __syncwarp();
    if ((m == 8 && n != 8) != (layout == mem_row_major)) {
        for (int e = 0; e < from.num_elements; e += 2) __two(to + __place<m, n, T>(e, row, layout == mem_row_major), from.x + e);
    } else {
        for (int e = 0; e < from.num_elements; e++) to[__place<m, n, T>(e, row, layout == mem_row_major)] = from.x[e];
    }
}

__device__ inline void __tile(float* d, const __half* a, const __half* b, const float* c, bool) { __builtin_mma_m16n8k16_f32_f16_f16(d, a, b, c); }
__device__ inline void __tile(__half* d, const __half* a, const __half* b, const __half* c, bool) { __builtin_mma_m16n8k16_f16_f16_f16(d, a, b, c); }
__device__ inline void __tile(float* d, const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, bool) { __builtin_mma_m16n8k16_f32_bf16_bf16(d, a, b, c); }
__device__ inline void __tile(float* d, const float* a, const float* b, const float* c, bool) { __builtin_mma_m16n8k8_f32_tf32_tf32(d, a, b, c); }
__device__ inline void __tile(double* d, const double* a, const double* b, const double* c, bool) { __builtin_mma_m8n8k4_f64_f64_f64(d, a, b, c); }
__device__ inline void __tile(int* d, const signed char* a, const signed char* b, const int* c, bool saturate) {
    if (saturate) __builtin_mma_m16n8k16_s32sat_s8_s8(d, a, b, c);
    else __builtin_mma_m16n8k16_s32_s8_s8(d, a, b, c);
}
__device__ inline void __tile(int* d, const unsigned char* a, const unsigned char* b, const int* c, bool saturate) {
    if (saturate) __builtin_mma_m16n8k16_s32sat_u8_u8(d, a, b, c);
    else __builtin_mma_m16n8k16_s32_u8_u8(d, a, b, c);
}

template <int m, int n, int k, typename T, typename S, typename LA, typename LB>
__device__ inline void mma_sync(fragment<accumulator, m, n, k, S>& d, const fragment<matrix_a, m, n, k, T, LA>& a,
                                const fragment<matrix_b, m, n, k, T, LB>& b, const fragment<accumulator, m, n, k, S>& c,
                                bool saturate = false) {
    if constexpr (m == 8 && n == 8) {
        __tile(d.x, a.x, b.x, c.x, saturate);
    } else if constexpr (m == 16) {
        __tile(d.x, a.x, b.x, c.x, saturate);
        __tile(d.x + 4, a.x, b.x + b.num_elements / 2, c.x + 4, saturate);
    } else if constexpr (m == 32) {
        __tile(d.x, a.x, b.x, c.x, saturate);
        __tile(d.x + 4, a.x + a.num_elements / 2, b.x, c.x + 4, saturate);
    } else {
        __tile(d.x, b.x, a.x, c.x, saturate);
        __tile(d.x + 4, b.x + b.num_elements / 2, a.x, c.x + 4, saturate);
    }
}
} }
#endif
