//! # Two halves at a time
//!
//! Two sound tracks of `n` samples in half precision are mixed: `out[i]` is the mean of `a[i]` and `b[i]`. The kernel
//! is right. Each thread takes two adjacent samples, but it loads and stores each of them by itself: two bytes per
//! access.
//!
//! Load and store both samples of a thread at once. `n` may be odd, and all arrays begin at a multiple of 16 bytes.
//!
//! The goals: two load requests and one store request for the 64 samples of a warp.
//!
//! ## Hint
//! A `__half2` is two halves in four bytes. Which `i` may you use to load one?
//!
//! ## Hint
//! `reinterpret_cast<const __half2*>(a)[pair]` loads the samples `2 * pair` and `2 * pair + 1`. There are
//! `__half22float2` and `__floats2half2_rn` to convert both.
//!
//! ## Hint
//! If `n` is odd, the last pair has one sample only. Test whether `2 * pair + 1 < n`, and leave that sample to the old
//! code.
//!
//! ## Why it works
//! A warp that loads two bytes per lane has 64 bytes in flight. With `__half2` it has 128, as with floats. *Global load requests* and *global store requests* are halved.
//!
//! The sectors that must move are the same. By Little's law, more bytes in flight bring them faster if the memory was
//! not busy before. Smaller types only pay if as many *bytes* are in flight.
//@ exercise improve, 15 minutes
//@ gate global_load_requests <= 2 * (n / 64)
//@ gate global_store_requests <= n / 64
//@ input a: half[n] = frac
//@ input b: half[n] = frac2
//@ output out: half[n] = poison
//@ launch mix(a, b, out, n) grid = ((n + 1) / 2 + 127) / 128, block = 128
//@ tolerance abs 1e-3 rel 1e-3
//@ test 1, 2, 3, 31, 32, 33, 63, 64, 65, 256, 257, 509
//@ page 8192

#include <cuda_fp16.h>

extern "C" __global__ void mix(const __half* a, const __half* b, __half* out, int n) {
    int pair = blockIdx.x * blockDim.x + threadIdx.x;
    //@ begin
    if (2 * pair + 1 < n) {
        float2 x = __half22float2(reinterpret_cast<const __half2*>(a)[pair]);
        float2 y = __half22float2(reinterpret_cast<const __half2*>(b)[pair]);
        reinterpret_cast<__half2*>(out)[pair] =
            __floats2half2_rn((x.x + y.x) * 0.5f, (x.y + y.y) * 0.5f);
    } else if (2 * pair < n) {
        float sum = __half2float(a[2 * pair]) + __half2float(b[2 * pair]);
        out[2 * pair] = __float2half(sum * 0.5f);
    }
    //@ starter
    //| for (int i = 2 * pair; i < 2 * pair + 2 && i < n; i++)
    //|     out[i] = __float2half((__half2float(a[i]) + __half2float(b[i])) * 0.5f);
    //@ wrong gate global_load_requests: both tracks are still loaded sample by sample, only the store is wide
    //| if (2 * pair + 1 < n) {
    //|     int i = 2 * pair;
    //|     float low = (__half2float(a[i]) + __half2float(b[i])) * 0.5f;
    //|     float high = (__half2float(a[i + 1]) + __half2float(b[i + 1])) * 0.5f;
    //|     reinterpret_cast<__half2*>(out)[pair] = __floats2half2_rn(low, high);
    //| } else if (2 * pair < n) {
    //|     float sum = __half2float(a[2 * pair]) + __half2float(b[2 * pair]);
    //|     out[2 * pair] = __float2half(sum * 0.5f);
    //| }
    //@ wrong bounds: the last pair of an odd number of samples has one sample only
    //| if (2 * pair < n) {
    //|     float2 x = __half22float2(reinterpret_cast<const __half2*>(a)[pair]);
    //|     float2 y = __half22float2(reinterpret_cast<const __half2*>(b)[pair]);
    //|     reinterpret_cast<__half2*>(out)[pair] =
    //|         __floats2half2_rn((x.x + y.x) * 0.5f, (x.y + y.y) * 0.5f);
    //| }
    //@ wrong result: the last sample of an odd number is not written
    //| if (2 * pair + 1 < n) {
    //|     float2 x = __half22float2(reinterpret_cast<const __half2*>(a)[pair]);
    //|     float2 y = __half22float2(reinterpret_cast<const __half2*>(b)[pair]);
    //|     reinterpret_cast<__half2*>(out)[pair] =
    //|         __floats2half2_rn((x.x + y.x) * 0.5f, (x.y + y.y) * 0.5f);
    //| }
    //@ wrong result: the two samples of a pair are exchanged
    //| if (2 * pair + 1 < n) {
    //|     float2 x = __half22float2(reinterpret_cast<const __half2*>(a)[pair]);
    //|     float2 y = __half22float2(reinterpret_cast<const __half2*>(b)[pair]);
    //|     reinterpret_cast<__half2*>(out)[pair] =
    //|         __floats2half2_rn((x.y + y.y) * 0.5f, (x.x + y.x) * 0.5f);
    //| } else if (2 * pair < n) {
    //|     float sum = __half2float(a[2 * pair]) + __half2float(b[2 * pair]);
    //|     out[2 * pair] = __float2half(sum * 0.5f);
    //| }
    //@ right: arithmetic of halves
    //| int i = 2 * pair;
    //| if (i + 1 < n)
    //|     ((__half2*)out)[pair] = __hmul2(__hadd2(((const __half2*)a)[pair], ((const __half2*)b)[pair]), __float2half2_rn(0.5f));
    //| else if (i < n)
    //|     out[i] = __hmul(__hadd(a[i], b[i]), __float2half(0.5f));
    //@ right: eight samples per thread
    //| int i = 8 * pair;
    //| if (i + 8 <= n) {
    //|     float4 p = *(const float4*)(a + i), q = *(const float4*)(b + i), r;
    //|     const __half2* u = (const __half2*)&p;
    //|     const __half2* v = (const __half2*)&q;
    //|     __half2* w = (__half2*)&r;
    //|     for (int k = 0; k < 4; k++) {
    //|         float2 x = __half22float2(u[k]), y = __half22float2(v[k]);
    //|         w[k] = __floats2half2_rn((x.x + y.x) * 0.5f, (x.y + y.y) * 0.5f);
    //|     }
    //|     *(float4*)(out + i) = r;
    //| } else {
    //|     for (int k = i; k < n; k++)
    //|         out[k] = __float2half((__half2float(a[k]) + __half2float(b[k])) * 0.5f);
    //| }
    //@ right: both halves taken apart as integers
    //| const ushort2* p = (const ushort2*)a;
    //| const ushort2* q = (const ushort2*)b;
    //| auto mean = [](unsigned short s, unsigned short t) {
    //|     return __half_as_ushort(__float2half(0.5f * (__half2float(__ushort_as_half(s)) + __half2float(__ushort_as_half(t)))));
    //| };
    //| if (2 * pair + 1 < n) {
    //|     ushort2 s = p[pair], t = q[pair];
    //|     ((ushort2*)out)[pair] = make_ushort2(mean(s.x, t.x), mean(s.y, t.y));
    //| } else if (2 * pair < n) {
    //|     ((unsigned short*)out)[2 * pair] = mean(((const unsigned short*)a)[2 * pair], ((const unsigned short*)b)[2 * pair]);
    //| }
    //@ end
}

/// The mean of the samples i.
__host__ __device__ __half expected(const __half* a, const __half* b, int i) {
    return __float2half((__half2float(a[i]) + __half2float(b[i])) * 0.5f);
}
