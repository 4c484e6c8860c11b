//! What random kernels found: each case gave other bits than an H200, or a false finding.

use crate::world::*;

/// A program that prints this, and of which nothing is reported.
fn prints_only(text: &str, wanted: &str) {
    let (output, report) = run("program.cu", text);
    let said: Vec<_> = report.diagnostics.iter().map(|d| &d.message).collect();
    assert!(said.is_empty(), "{said:?}");
    assert_eq!((output.as_str(), report.code), (wanted, 0));
}

#[test]
fn the_right_side_of_an_assignment_is_evaluated_first() {
    let text = r#"
        #include <cstdio>
        __global__ void order(unsigned* out, unsigned start, unsigned addend) {
            unsigned cells[8] = {};
            unsigned at = start;
            cells[at++] = at * 10u + 1u;
            cells[++at] = addend;
            cells[at--] += at;
            for (int i = 0; i < 8; i++) out[i] = cells[i];
            out[8] = at;
            unsigned v = 5;
            cells[v--] = v;
            out[9] = cells[5];
            cells[v -= 2] -= v;
            out[10] = cells[2] + v;
        }
        int main() {
            unsigned* out;
            cudaMallocManaged(&out, 44);
            for (unsigned start = 0; start < 4; start++) {
                order<<<1, 1>>>(out, start, 100);
                cudaDeviceSynchronize();
                for (int i = 0; i < 11; i++) printf("%d ", (int)out[i]);
                printf("\n");
            }
        }"#;
    let wanted = "1 0 102 0 0 0 0 0 1 5 100 \n0 11 0 103 0 0 0 0 2 5 -2 \n\
                  0 0 21 0 104 0 0 0 3 5 19 \n0 0 0 31 0 105 0 0 4 5 -2 \n";
    prints_only(text, wanted);
}

#[test]
fn bytes_in_an_aligned_struct_are_accessed_where_they_lie() {
    let text = r#"
        #include <cstdio>
        struct __align__(8) S { int a; unsigned char b; signed char c, d; };
        __global__ void k(int* out) {
            S value = {1, 2, 3, 4};
            S* pointer = &value;
            S copy = *pointer;
            out[0] = pointer->a + pointer->b * 10 + pointer->c * 100 + copy.d * 1000;
        }
        int main() {
            int* out;
            cudaMallocManaged(&out, 4);
            k<<<1, 1>>>(out);
            cudaError_t error = cudaDeviceSynchronize();
            printf("%s %d\n", cudaGetErrorString(error), out[0]);
        }"#;
    prints_only(text, "no error 4321\n");
}

#[test]
fn a_64_bit_member_of_a_member_is_a_pair_of_registers() {
    let text = r#"
        #include <cstdio>
        struct Inner { char first; unsigned long long wide; };
        struct Outer { char first; Inner inner; short last; };
        __global__ void k(unsigned long long* out, int n) {
            Outer value = {1, {2, 3}, 4};
            Outer other = value;
            if (n > 1) other.inner.wide = 1ull << 40;
            Inner inner = other.inner;
            out[0] = value.first + value.inner.first * 10 + value.inner.wide * 100 + value.last * 1000;
            out[1] = inner.wide + inner.first;
        }
        int main() {
            unsigned long long* out;
            cudaMallocManaged(&out, 16);
            k<<<1, 1>>>(out, 2);
            cudaDeviceSynchronize();
            printf("%llu %llu\n", out[0], out[1]);
        }"#;
    prints_only(text, "4321 1099511627778\n");
}

#[test]
fn a_union_may_be_written_part_by_part() {
    let text = r#"
        #include <cstdio>
        union Parts { unsigned long long whole; unsigned words[2]; unsigned char bytes[8]; };
        struct Tagged { int tag; Parts parts; };
        __global__ void k(unsigned long long* out, int n) {
            Parts value;
            value.words[0] = threadIdx.x;
            value.words[1] = 3;
            Parts either;
            if (threadIdx.x == 0) either.whole = 5; else either.words[0] = 6, either.words[1] = 0;
            Tagged tagged;
            tagged.tag = 7;
            if (n > 1) tagged.parts.whole = 0;
            for (int i = 0; i < 8; i++) tagged.parts.bytes[i] = (unsigned char)(i + threadIdx.x);
            out[threadIdx.x] = value.whole;
            out[threadIdx.x + 2] = tagged.parts.whole + tagged.tag;
            out[threadIdx.x + 4] = either.whole;
        }
        int main() {
            unsigned long long* out;
            cudaMallocManaged(&out, 48);
            k<<<1, 2>>>(out, 1);
            cudaDeviceSynchronize();
            for (int i = 0; i < 6; i++) printf("%llx ", out[i]);
        }"#;
    prints_only(text, "300000000 300000001 706050403020107 807060504030208 5 6 ");
}

/// A NaN passes through the `_relu` operations, and becomes zero in the saturating ones.
#[test]
fn a_nan_passes_through_relu() {
    let text = r#"
        #include <cstdio>
        #include <cuda_bf16.h>
        #include <cuda_fp16.h>
        __global__ void k(unsigned* out, float x) {
            const __half h = __float2half(x), one = __float2half(1.0f);
            const __nv_bfloat16 b = __float2bfloat16(x), unit = __float2bfloat16(1.0f);
            const __half2 pair = __halves2half2(h, __float2half(-2.0f)), ones = __half2half2(one);
            out[0] = __hisnan(__hfma_relu(h, one, one));
            out[1] = __hisnan(__hfma_relu(b, unit, unit));
            out[2] = __hisnan(__low2half(__hfma2_relu(pair, pair, pair)));
            out[3] = __half_as_ushort(__high2half(__hfma2_relu(pair, ones, ones)));
            out[4] = __half_as_ushort(__hfma_sat(h, one, one));
            out[5] = __bfloat16_as_ushort(__hmul_sat(b, unit));
        }
        int main() {
            unsigned* out;
            cudaMallocManaged(&out, 24);
            for (float x : {0.0f / 0.0f, 3.0f, -3.0f}) {
                k<<<1, 1>>>(out, x);
                cudaDeviceSynchronize();
                for (int i = 0; i < 6; i++) printf("%x ", out[i]);
            }
        }"#;
    prints_only(text, "1 1 1 0 0 0 0 0 0 0 3c00 3f80 0 0 0 0 0 0 ");
}

/// A product of which all uses are sums is contracted into each, across statements; one with
/// another use is rounded first, and so is one that is subtracted from its equal.
#[test]
fn products_are_contracted_by_their_uses() {
    let text = r#"
        #include <cstdio>
        __global__ void variable(float* out, float a, float b, float c) {
            float v = a;
            v *= b;
            v += c;
            out[0] = v;
        }
        __global__ void both(float* out, float a, float b, float c) {
            float product = a * b;
            out[1] = product + c;
            out[2] = product - c;
        }
        __global__ void equal(float* out, float a, float b) { out[3] = a * b - a * b; }
        __global__ void kept(float* out, float a, float b, float c) {
            float product = a * b;
            out[4] = product + c;
            out[5] = product;
        }
        int main() {
            float *out, e = 1.0f / 4096;
            cudaMallocManaged(&out, 24);
            variable<<<1, 1>>>(out, 1 + e, 1 + e, -1 - 2 * e);
            both<<<1, 1>>>(out, 1 + e, 1 + e, -1 - 2 * e);
            equal<<<1, 1>>>(out, 1 + e, 1 + e);
            kept<<<1, 1>>>(out, 1 + e, 1 + e, -1 - 2 * e);
            cudaDeviceSynchronize();
            for (int i = 0; i < 6; i++) printf("%g ", out[i]);
        }"#;
    prints_only(text, "5.96046e-08 5.96046e-08 2.00098 0 0 1.00049 ");
}

#[test]
fn a_functional_cast_of_a_dereference_is_an_expression() {
    let text = r#"
        #include <cstdio>
        typedef unsigned long long u64;
        __global__ void k(const short* p, int* out) {
            out[0] = (int)(u64(*(p + 1))) + 1;
            if (bool(min(out[0], 1))) out[0] += int(sizeof(int (*)[4]));
        }
        int main() {
            short* p;
            int* out;
            cudaMallocManaged(&p, 4);
            cudaMallocManaged(&out, 4);
            p[1] = 4;
            k<<<1, 1>>>(p, out);
            cudaDeviceSynchronize();
            printf("%d\n", out[0]);
        }"#;
    prints_only(text, "13\n");
}

#[test]
fn bitwise_atomics_work_on_long_long() {
    let text = r#"
        #include <cstdio>
        __global__ void k(long long* p) {
            atomicAnd(p, -4ll);
            atomicOr_block(p, 1ll);
            atomicXor_system(p, 1ll << 40);
        }
        int main() {
            long long* p;
            cudaMallocManaged(&p, 8);
            *p = 7;
            k<<<1, 1>>>(p);
            cudaDeviceSynchronize();
            printf("%lld\n", *p);
        }"#;
    prints_only(text, "1099511627781\n");
}

#[test]
fn a_number_is_not_reported_as_a_freed_address() {
    let text = r#"
        #include <cstdio>
        __global__ void k(int* p, unsigned long long x) { p[0] = x > 0; }
        int main() {
            int *freed, *out;
            cudaMallocManaged(&out, 4);
            cudaMalloc(&freed, 4);
            unsigned long long number = (unsigned long long)freed;
            cudaFree(freed);
            k<<<1, 1>>>(out, number);
            cudaDeviceSynchronize();
            printf("%d\n", out[0]);
        }"#;
    prints_only(text, "1\n");
}

/// What `ptxas` 13.0 compiles to other values for `sm_90a` (README of `tools/random-kernels`); here it is
/// what C++ and the PTX ISA say.
#[test]
fn what_ptxas_gets_wrong_is_right() {
    let text = r#"
        #include <cstdio>
        #include <cuda_bf16.h>
        #include <cuda_fp16.h>
        __global__ void k(int* out, int zero) {
            const unsigned t = threadIdx.x;
            out[0] = abs((short)__vsub2(8u, blockIdx.x));
            out[1] = __vimax3_s32(-9, -(int)(t + 3), -5 - zero);
            const unsigned long long difference = (unsigned long long)__umulhi(t, 7u) - blockIdx.x;
            out[2] = (int)(difference >> 32);
            out[3] = __bfloat16_as_ushort(hrint(__ushort_as_bfloat16((unsigned short)(zero == 0))));
            out[4] = __half_as_ushort(__float2half(-(zero > 5 ? 1.0f : 0.0f)));
            const short narrow = (short)-(int)(1u << (zero + 15));
            out[5] = narrow;
        }
        __device__ unsigned deep(int n, unsigned x) {
            if (n <= 0) return x;
            return deep(n - 1, x * 3u + n) ^ n;
        }
        __global__ void turns(int* count) {
            const unsigned made = deep(threadIdx.x % 9, 1);
            for (int i = 0, j = 9; i < j; i++, j -= 2) atomicAdd(count, 1 + (made == 12345));
        }
        int main() {
            int *out, *count;
            cudaMallocManaged(&out, 24);
            cudaMallocManaged(&count, 4);
            *count = 0;
            k<<<1, 1>>>(out, 0);
            turns<<<1, 32>>>(count);
            cudaDeviceSynchronize();
            for (int i = 0; i < 6; i++) printf("%d ", out[i]);
            printf("%d\n", *count);
        }"#;
    prints_only(text, "8 -3 0 0 32768 -32768 96\n");
}
