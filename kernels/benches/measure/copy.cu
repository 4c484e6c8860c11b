// A copy that asks the second-level cache to keep what is read. It is faster than the library's, and leaves
// the cache full of what nobody reads again: the kernel after it pays. So it is a probe, no part of the
// library.
extern "C" __global__ void __launch_bounds__(256) copy_and_keep(const float4* from, float4* to, unsigned long long n) {
    unsigned long long i = blockIdx.x * 256ull + threadIdx.x;
    if (i >= n)
        return;
    float4 v;
    asm volatile("{ .reg .b64 keep; createpolicy.fractional.L2::evict_last.b64 keep, 1.0;"
                 " ld.global.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], keep; }"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(from + i));
    to[i] = v;
}
