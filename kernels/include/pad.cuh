// A row-major matrix of 16-bit numbers laid out anew so that its rows begin at multiples of 16 bytes:
// what the bulk copies ask for. Each thread writes eight numbers; beyond the row's end, zeros.

typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned short u16;

struct __align__(16) Vector {
    u16 lane[8];
};

extern "C" __global__ void __launch_bounds__(256)
    kernels_pad(const u16* __restrict__ from, Vector* __restrict__ to, u64 rows, u32 columns, u64 from_stride) {
    u32 pieces = (columns + 7) / 8;
    u64 i = (u64)blockIdx.x * 256 + threadIdx.x;
    u64 row = i / pieces;
    if (row >= rows)
        return;
    u32 first = (u32)(i - row * pieces) * 8;
    const u16* x = from + row * from_stride + first;
    Vector v;
#pragma unroll
    for (u32 j = 0; j < 8; j++)
        v.lane[j] = first + j < columns ? x[j] : (u16)0;
    to[i] = v;
}
