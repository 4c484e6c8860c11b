//! The `asm` statement: operands and constraints, scopes, guards, branches, memory.

use super::{report, run};
use simt::Class;

#[test]
fn operands_go_in_and_out() {
    let words = run(r#"
        unsigned i = threadIdx.x, sum, twice = i;
        asm("add.u32 %0, %1, %2;" : "=r"(sum) : "r"(i), "n"(5));
        asm volatile("add.u32 %0, %0, %0;" : "+r"(twice) :: "memory");
        asm("add.u32 %[to], %[from], 1;\n\t" : [to] "=r"(out[i]) : [from] "r"(sum + twice));
    "#);
    assert!((0..64).all(|i| words[i as usize] == i + 5 + 2 * i + 1), "{words:?}");
}

#[test]
fn an_output_may_be_the_variable_of_an_input() {
    let words = run(r#"
        unsigned x = threadIdx.x;
        asm("add.u32 %0, 100, 0; add.u32 %0, %0, %1;" : "=&r"(x) : "r"(x));
        out[threadIdx.x] = x;
    "#);
    assert!((0..64).all(|i| words[i as usize] == 100 + i), "{words:?}");
}

#[test]
fn a_constant_array_is_a_part_of_the_text() {
    let words = run(r#"
        static constexpr char mode[] = ".rz";
        static constexpr char op[] = {'s', 'u', 'b', 0};
        float x = 1.0f, tiny = 1e-30f;
        asm("%1%2.f32 %0, %0, %3;" : "+f"(x) : "C"(op), "C"(mode), "f"(tiny));
        out[threadIdx.x] = __float_as_uint(x);
    "#);
    assert_eq!(words[0], 0x3f7f_ffff);
}

#[test]
fn types_have_their_registers() {
    let words = run(r#"
        if (threadIdx.x) return;
        short h = -2; long long l = 1ll << 40; float f = 1.5f; double d = 0.25;
        asm("add.s16 %0, %0, -3;" : "+h"(h));
        asm("add.s64 %0, %0, 7;" : "+l"(l));
        asm("add.f32 %0, %0, 0f40000000;" : "+f"(f));
        asm("add.f64 %0, %0, 0.5;" : "+d"(d));
        out[0] = h; out[1] = (unsigned)(l >> 32); out[2] = (unsigned)l;
        out[3] = __float_as_uint(f); out[4] = d == 0.75;
    "#);
    assert_eq!(words[..5], [(-5i32) as u32, 1 << 8, 7, 3.5f32.to_bits(), 1]);
}

#[test]
fn registers_and_labels_have_scopes() {
    let words = run(r#"
        unsigned n;
        asm("{\n"
            ".reg .pred p, q;\n"
            ".reg .b32 t<2>;\n"
            "mov.u32 t0, %%laneid;\n"
            "mov.u32 t1, 0;\n"
            "LOOP:\n"
            "add.u32 t1, t1, 3;\n"
            "setp.gt.u32 p|q, t0, 0;\n"
            "@p sub.u32 t0, t0, 1;\n"
            "@!q bra LOOP;\n"
            "mov.u32 %0, t1;\n"
            "}" : "=r"(n));
        out[threadIdx.x] = n;
        out[64 + threadIdx.x] = __activemask();
    "#);
    assert!((0..64).all(|i| words[i as usize] == 3 * (i % 32 + 1)), "{words:?}");
    // All lanes have reconverged.
    assert!(words[64..128].iter().all(|mask| *mask == u32::MAX), "{words:x?}");
}

#[test]
fn loads_and_stores_reach_every_space() {
    let words = run(r#"
        __shared__ unsigned a[64], b[64];
        unsigned i = threadIdx.x, x, y;
        unsigned at = (unsigned)__cvta_generic_to_shared(&b[i]);
        asm volatile("st.shared.u32 [%0], %1;" :: "r"(at), "r"(i * i) : "memory");
        a[i] = 1;
        __syncthreads();
        asm volatile("ld.shared.u32 %0, [%1+-4];" : "=r"(x) : "r"(at + (i ? 0 : 4)));
        asm volatile("ld.volatile.u32 %0, [%1];" : "=r"(y) : "l"(&a[i]));
        asm volatile("st.global.v2.u32 [%0], {%1, %2};" :: "l"(out + 2 * i), "r"(x), "r"(y));
        out[128 + i] = at & 3 | (__isShared(&a[0]) << 4) | (__isGlobal(out) << 5) | __isLocal(out);
    "#);
    for i in 0..64u32 {
        let before = i.saturating_sub(1);
        assert_eq!(words[2 * i as usize..][..2], [before * before, 1], "{i}");
        assert_eq!(words[128 + i as usize], 0x30);
    }
}

#[test]
fn narrow_loads_fill_wide_registers() {
    let words = run(r#"
        if (threadIdx.x) return;
        out[8] = 0x8081f0ffu;
        unsigned long long* wide = (unsigned long long*)out;
        unsigned x, y; unsigned short h;
        asm volatile("ld.s8 %0, [%1];" : "=r"(x) : "l"(out + 8));
        asm volatile("ld.u16 %0, [%1+2];" : "=r"(y) : "l"(out + 8));
        asm volatile("ld.s8 %0, [%1+3];" : "=h"(h) : "l"(out + 8));
        asm volatile("ld.s16 %0, [%1+2];" : "=l"(wide[2]) : "l"(out + 8));
        asm volatile("st.u8 [%0], %1;" :: "l"(out + 9), "l"(0x1234567890ull) : "memory");
        out[0] = x; out[1] = y; out[2] = h;
    "#);
    assert_eq!(words[..3], [u32::MAX, 0x8081, 0xff80]);
    assert_eq!(words[4..6], [0xffff_8081, u32::MAX]);
    assert_eq!(words[9], 0x90);
}

#[test]
fn races_and_bounds_are_found_as_in_cpp() {
    let (race, ..) = report(
        r#"
        __shared__ unsigned a[64];
        unsigned i = threadIdx.x, x;
        unsigned at = (unsigned)__cvta_generic_to_shared(&a[i]);
        a[i] = 0;
        __syncthreads();
        asm volatile("st.shared.u32 [%0], %1;" :: "r"(at), "r"(i));
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(x) : "r"(at ^ 128));
        out[i] = x;
    "#,
    );
    assert_eq!(race.findings.iter().map(|f| f.class()).collect::<Vec<_>>(), [Class::Race]);
    let (bounds, ..) = report(
        r#"
        __shared__ unsigned a[64], b[64];
        unsigned at = (unsigned)__cvta_generic_to_shared(&a[threadIdx.x]);
        b[threadIdx.x] = 1;
        asm volatile("st.shared.u32 [%0+256], %1;" :: "r"(at), "r"(1));
        out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
    "#,
    );
    assert!(bounds.findings.iter().any(|f| f.class() == Class::Bounds), "behind the last array");
}

/// The golden files have no misspelt instructions, for these are no features that are not supported.
#[test]
fn an_instruction_that_was_meant_is_named() {
    for (text, meant) in [
        ("ad.u32 %0, %0, 1;", Some("add")),
        ("MOV.U32 %0, 1;", Some("mov")),
        ("popcc.b32 %0, %0;", Some("popc")),
        ("shfl.down.b32 %0, %0, 1, 31;", Some("shfl.sync")),
        ("frobnicate.u32 %0, 1;", None),
        ("vadd.u32.u32.u32 %0, %0, 1;", None),
    ] {
        let source =
            format!("__global__ void k(unsigned* out) {{ asm(\"{text}\" : \"+r\"(out[0])); }}");
        let error = match simt::compile(simt::Sources::single("slip.cu", source)) {
            Ok(_) => panic!("{text}"),
            Err(error) => error,
        };
        let help = meant.map(|name| format!("did you mean `{name}`?"));
        assert_eq!(error.diagnostics[0].help, help, "{text}");
    }
}

#[test]
fn a_name_may_have_numbers_with_dots() {
    let text = "__global__ void k(unsigned t) {
        asm volatile(\"tcgen05.cp.cta_group::1.128x128b [%0], %1;\" :: \"r\"(t), \"l\"(0ull));
    }";
    let failure = simt::compile(simt::Sources::single("k.cu", text)).unwrap_err();
    let message = &failure.diagnostics[0].message;
    assert!(
        message.contains("the PTX instruction `tcgen05.cp.cta_group::1.128x128b`"),
        "{message}"
    );
}
