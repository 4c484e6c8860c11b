//! Rows of the tile come by bulk copies: one thread asks for 256 bytes, the copy engine of the
//! multiprocessor fetches them into shared memory, and a barrier there counts the bytes that have
//! arrived. No register holds them on the way. Then a thread turns four rows of four in its own
//! registers: it reads whole vectors, so nothing needs padding.
//!
//! This is the bulk copy of plain bytes. The *tensor* copy, which knows of rows and columns, needs a
//! description that only the host's driver can make.
//!
//! Look at: the registers, and the clock. The instructions are inline PTX, for compute capability 9.0.
//@ input in: float[n * n] = frac
//@ output out: float[n * n] = poison
//@ let tiles = (n + 63) / 64
//@ launch transpose(in, out, n) grid = (tiles, tiles), block = 256
//@ needs sm_90
//@ skip sim: bulk copies are inline assembly (2026-11-21)
//@ test 4, 32, 36, 60, 64, 68, 100, 260
//@ page 512
//@ measure 8192, 16384
//@ bytes 8 * n * n

/// An address as the instructions for shared memory take it.
__device__ unsigned int place(const void* p) {
    return (unsigned int)__cvta_generic_to_shared(p);
}

__device__ bool has_arrived(unsigned int barrier) {
    unsigned int yes;
    asm volatile(
        "{\n"
        ".reg .pred p;\n"
        "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
        "selp.u32 %0, 1, 0, p;\n"
        "}\n"
        : "=r"(yes)
        : "r"(barrier)
        : "memory");
    return yes != 0;
}

extern "C" __global__ void transpose(const float* in, float* out, unsigned int n) {
    __shared__ __align__(128) float tile[64][64];
    __shared__ unsigned long long arrived;
    unsigned int t = threadIdx.x;
    unsigned int left = blockIdx.y * 64, top = blockIdx.x * 64;
    unsigned int columns = min(64, n - left), rows = min(64, n - top);
    unsigned int barrier = place(&arrived);

    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile(
            "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier),
            "r"(rows * columns * 4)
            : "memory");
    }
    __syncthreads();
    if (t < rows)
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
            "[%0], [%1], %2, [%3];" ::"r"(place(tile[t])),
            "l"(in + (top + t) * n + left), "r"(columns * 4), "r"(barrier)
            : "memory");
    while (!has_arrived(barrier)) {
    }

    // Four rows of four: across a warp, eight beside each other and four below.
    unsigned int x = (t % 8 + t / 32 % 2 * 8) * 4, y = (t / 8 % 4 + t / 64 * 4) * 4;
    if (x >= columns || y >= rows)
        return;
    float4 a = *reinterpret_cast<const float4*>(&tile[y][x]);
    float4 b = *reinterpret_cast<const float4*>(&tile[y + 1][x]);
    float4 c = *reinterpret_cast<const float4*>(&tile[y + 2][x]);
    float4 d = *reinterpret_cast<const float4*>(&tile[y + 3][x]);
    float* to = out + (left + x) * n + top + y;
    *reinterpret_cast<float4*>(to) = make_float4(a.x, b.x, c.x, d.x);
    *reinterpret_cast<float4*>(to + n) = make_float4(a.y, b.y, c.y, d.y);
    *reinterpret_cast<float4*>(to + 2 * n) = make_float4(a.z, b.z, c.z, d.z);
    *reinterpret_cast<float4*>(to + 3 * n) = make_float4(a.w, b.w, c.w, d.w);
}

/// Row and column change places.
__host__ __device__ float expected(
    const float* in, unsigned int n, unsigned int i) {
    return in[i % n * n + i / n];
}
