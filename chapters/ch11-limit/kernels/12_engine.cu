//! A tile comes by one bulk tensor copy. One thread asks for a box of the matrix. The Tensor Memory
//! Accelerator (TMA) fetches it into shared memory, with zeros beyond the edge, and a barrier there counts
//! the bytes that have arrived. No register holds them on the way. Then each thread transposes 4 x 4
//! numbers in its registers: it reads whole vectors, so nothing needs padding.
//!
//! The instructions are inline PTX, for compute capability 9.0. A tensor map, which the driver makes,
//! tells the engine where the matrix is and how large a box is.
//!
//! Look at: the registers, and the time.
//@ input in: float[n * n] = frac
//@ output out: float[n * n] = poison
//@ let tiles = (n + 63) / 64
//@ map boxes: in (n, n) box (64, 64)
//@ launch transpose(boxes, out, n) grid = (tiles, tiles), block = 256
//@ needs sm_90
//@ test 4, 32, 36, 60, 64, 68, 100, 260
//@ page 512
//@ measure 16384
//@ bytes 8 * n * n
//@ equivalent `asm volatile( "mbarrier.arrive.expect_tx.shared::cta.b64 _, ...` before `asm volatile("fence.proxy.async.shared::cta;" ::: "memory");` in `asm volatile("fence.proxy.async.shared::cta;" ::: "memory");`: the thread that made the mbarrier may arrive without a fence, and the copy is behind both
//@ equivalent `asm volatile( "cp.async.bulk.tensor.2d.shared::cluster.globa...` before `asm volatile( "mbarrier.arrive.expect_tx.shared::cta.b64 _, ...` in `asm volatile(`: the bytes may be there before they are announced: the phase waits for the arrival that announces them

/// What the driver makes of the map.
struct __align__(64) Boxes {
    unsigned long long words[16];
};

/// An address as the instructions for shared memory take it.
__device__ unsigned int place(const void* p) {
    return (unsigned int)__cvta_generic_to_shared(p);
}

/// Makes a barrier on which `bytes` are expected, and has them fetched: the box at (left, top).
__device__ void fetch(
    float* to, const Boxes* boxes, unsigned int left, unsigned int top,
    unsigned int barrier, unsigned int bytes) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
        : "memory");
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
        "[%0], [%1, {%2, %3}], [%4];" ::"r"(place(to)),
        "l"(boxes), "r"(left), "r"(top), "r"(barrier)
        : "memory");
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

extern "C" __global__ void transpose(
    const __grid_constant__ Boxes boxes, float* out, unsigned int n) {
    __shared__ __align__(128) float tile[64][64];
    __shared__ unsigned long long arrived;
    unsigned int t = threadIdx.x;
    unsigned int left = blockIdx.y * 64, top = blockIdx.x * 64;

    if (t == 0)
        fetch(&tile[0][0], &boxes, left, top, place(&arrived), sizeof(tile));
    __syncthreads();  // the barrier is there to be waited at
    while (!has_arrived(place(&arrived))) {
    }

    // Four rows of four: across a warp, eight beside each other and four below.
    unsigned int x = (t % 8 + t / 32 % 2 * 8) * 4, y = (t / 8 % 4 + t / 64 * 4) * 4;
    if (left + x >= n || top + y >= n)
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
