//! Atomics, fences and the order that they make, as in C++.

use super::{report, run};
use simt::Class;

#[test]
fn atomics_return_the_old_value() {
    let words = run(r#"
        if (threadIdx.x) return;
        unsigned old[12]; unsigned long long long_old;
        for (int i = 0; i < 12; ++i) old[i] = 0;
        out[0] = 5;
        asm volatile("atom.add.u32 %0, [%1], 3;" : "=r"(old[0]) : "l"(out));
        asm volatile("atom.relaxed.gpu.global.min.s32 %0, [%1], -2;" : "=r"(old[1]) : "l"(out));
        asm volatile("atom.max.u32 %0, [%1], 9;" : "=r"(old[2]) : "l"(out));
        asm volatile("atom.and.b32 %0, [%1], 0xf0;" : "=r"(old[3]) : "l"(out));
        asm volatile("atom.or.b32 %0, [%1+0], 0x0e;" : "=r"(old[4]) : "l"(out));
        asm volatile("atom.xor.b32 %0, [%1], 1;" : "=r"(old[5]) : "l"(out));
        asm volatile("atom.exch.b32 %0, [%1], 4;" : "=r"(old[6]) : "l"(out));
        asm volatile("atom.acq_rel.sys.cas.b32 %0, [%1], 4, 6;" : "=r"(old[7]) : "l"(out));
        asm volatile("atom.inc.u32 %0, [%1], 6;" : "=r"(old[8]) : "l"(out));
        asm volatile("atom.dec.u32 %0, [%1], 8;" : "=r"(old[9]) : "l"(out));
        asm volatile("red.release.gpu.global.add.u64 [%0], 0x100000001;" :: "l"(out + 2));
        asm volatile("atom.add.u64 %0, [%1], 1;" : "=l"(long_old) : "l"(out + 2));
        asm volatile("red.add.f32 [%0], 0f3f800000;" :: "l"(out + 4));
        asm volatile("red.global.add.v2.f32 [%0], {%1, %1};" :: "l"(out + 6), "f"(2.5f));
        for (int i = 0; i < 10; ++i) out[16 + i] = old[i];
        out[30] = (unsigned)long_old; out[31] = (unsigned)(long_old >> 32);
    "#);
    let (neg, bits) = ((-2i32) as u32, 0xf0u32);
    let after_and = neg & bits;
    let wanted = [5, 8, neg, neg, after_and, after_and | 14, (after_and | 14) ^ 1, 4, 6, 0];
    assert_eq!(words[16..26], wanted);
    // `dec` of 0 wraps to its bound.
    assert_eq!(words[0], 8);
    assert_eq!(words[2..5], [2, 1, 1f32.to_bits()]);
    assert_eq!(words[6..8], [2.5f32.to_bits(); 2]);
    assert_eq!(words[30..32], [1, 1]);
}

#[test]
fn release_and_acquire_order_a_flag() {
    let body = r#"
        __shared__ unsigned data[1], flag[1];
        if (threadIdx.x == 0) flag[0] = 0;
        __syncthreads();
        unsigned at = (unsigned)__cvta_generic_to_shared(flag), seen;
        if (threadIdx.x == 0) {
            data[0] = 7;
            asm volatile("st.RELEASE.cta.shared.u32 [%0], 1;" :: "r"(at) : "memory");
        } else if (threadIdx.x == 32) {
            do asm volatile("ld.acquire.cta.shared.u32 %0, [%1];" : "=r"(seen) : "r"(at) : "memory");
            while (!seen);
            out[0] = data[0];
        }
    "#;
    assert_eq!(run(&body.replace("RELEASE", "release"))[0], 7);
    let (report, ..) = report(&body.replace("RELEASE", "relaxed"));
    assert!(report.findings.iter().any(|f| f.class() == Class::Race), "relaxed publishes nothing");
}

#[test]
fn hints_change_nothing() {
    let words = run(r#"
        unsigned x;
        asm volatile("{ .reg .b64 keep; createpolicy.fractional.L2::evict_last.b64 keep, 1.0; "
            "ld.global.nc.L1::no_allocate.L2::cache_hint.u32 %0, [%1], keep; "
            "st.global.cs.L2::cache_hint.u32 [%1+4], 3, keep; }" : "=r"(x) : "l"(out + 2 * threadIdx.x));
        asm volatile("prefetch.global.L2 [%0]; prefetch.L1 [%0]; discard.global.L2 [%0], 128; "
            "applypriority.global.L2::evict_normal [%0], 128; nanosleep.u32 20; pmevent 3; "
            "setmaxnreg.dec.sync.aligned.u32 40; griddepcontrol.wait; membar.gl; fence.sc.cta;" :: "l"(out));
        out[2 * threadIdx.x] = x;
    "#);
    assert!((0..64).all(|i| words[2 * i..2 * i + 2] == [0, 3]), "{words:?}");
}
