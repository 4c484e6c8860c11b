//! Any text parses and lowers, or is refused with a place inside it: no panic, and no place outside.

#[path = "robustness/counter.rs"]
mod counter;

use counter::compile;
use proptest::prelude::*;

/// Pieces of PTX.
const WORDS: [&str; 66] = [
    "add", "mul", "mad", "cvt", "ld", "st", "atom", "red", "setp", "selp", "mov", "bra", "shfl",
    "vote", "bar", "lop3", "prmt", "bfe", "cp", "mbarrier", ".async", ".sync", ".rn", ".ftz",
    ".sat", ".u32", ".s64", ".f32", ".b16", ".f16x2", ".pred", ".cc", ".wide", ".lo", ".global",
    ".shared", ".v4", ".gpu", ".add", ".reg", "%0", "%1", "%2", "%3", "%4", "%5", "%[wide]",
    "%%tid", ".x", "a", "p", "{", "}", "[", "]", ",", ";", ":", "@", "!", "|", "+", "-", "16",
    "0x1f", "1.5",
];

/// Whole instructions, to be cut and joined.
const PROGRAM: &str = "{ .reg .pred p, q; .reg .b32 t<4>; .reg .b64 w; LOOP: add.u32 t0, %0, 1; \
    setp.lt.and.u32 p|q, t0, 40, !q; @p bra LOOP; @!q ld.global.v2.u32 {t1, _}, [%1+16]; \
    atom.global.add.u32 t2, [%1], t1; cvt.rn.f32.u32 %2, t2; mov.b32 {%3, %3}, t0; \
    shfl.sync.idx.b32 t3|p, t0, %4, 0x1f, -1; bar.sync 1, 64; } // end";

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn any_tokens(words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..40)) {
        let _ = compile(&words.join(" "));
        let _ = compile(&words.concat());
    }

    #[test]
    fn any_characters(text in ".{0,60}") {
        let _ = compile(&text);
    }

    #[test]
    fn a_program_with_a_piece_replaced(
        start in 0..PROGRAM.len(),
        length in 0..12usize,
        word in prop::sample::select(WORDS.to_vec()),
    ) {
        let end = (start + length).min(PROGRAM.len());
        let _ = compile(&format!("{}{word}{}", &PROGRAM[..start], &PROGRAM[end..]));
    }
}

#[test]
fn every_label_that_is_named_is_bound() {
    let code = compile(PROGRAM).expect("it is right");
    assert!(code.instructions > 30);
    assert!(code.named.iter().all(|label| code.bound.contains(label)));
}

#[test]
fn depth_is_bounded() {
    for (open, close) in [("{", "}"), ("mov.u32 %0, -", ";"), ("mov.u32 %0, {", "};"), ("[", "]")] {
        for n in [10, 1000, 100_000] {
            let _ = compile(&format!("{}{}", open.repeat(n), close.repeat(n)));
        }
    }
    let nested = format!("mov.u32 %0, {}1;", "-".repeat(100_000));
    assert!(compile(&nested).is_err());
}

#[test]
fn numbers_are_read_as_ptxas_reads_them() {
    let accepted = [
        "mov.u32 %0, 0b101;",
        "mov.u32 %0, 07;",
        "mov.u32 %0, 12U;",
        "mov.u32 %0, 0xffffffff;",
        "mov.u32 %0, 4294967296;",
        "mov.u32 %0, -1;",
        "mov.u32 %0, WARP_SZ;",
        "mov.f32 %2, 1e3;",
        "mov.f32 %2, 1.e3;",
        "mov.f32 %2, .5;",
        "mov.f32 %2, -1.5;",
        "mov.f32 %2, 0f3f800000;",
        "add.f32 %2, %2, 1.0;",
    ];
    for text in accepted {
        assert!(compile(text).is_ok(), "{text}: {:?}", compile(text).err());
    }
    let refused = [
        "mov.u32 %0, 08;",
        "mov.u32 %0, 0x;",
        "mov.u32 %0, 1.0;",
        "mov.b32 %0, 1.0;",
        "mov.f32 %2, 1;",
        "mov.f32 %2, 0f3f8;",
        "shl.b32 %0, %0, 3.0;",
        "mov.u32 %0, 99999999999999999999;",
    ];
    for text in refused {
        assert!(compile(text).is_err(), "{text}");
    }
}

/// What NVRTC 13.0 accepts for sm_90a, and what it refuses.
#[test]
fn modifiers_as_ptxas_takes_them() {
    let accepted = [
        "mul.f32.rn %2, %2, %2;",
        "ld.u32.volatile %0, [%1];",
        "atom.gpu.add.u32 %0, [%1], 1;",
        "atom.global.gpu.add.u32 %0, [%1], 1;",
        "ld.global.L2::128B.nc.u32 %0, [%1];",
        "ld.global.u32.v2 {%0, %0}, [%1];",
        "red.add.noftz.f16 [%1], %3;",
        "{ .reg .b8 a; ld.u8 a, [%1]; cvt.u32.u8 %0, a; }",
    ];
    for text in accepted {
        assert!(compile(text).is_ok(), "{text}: {:?}", compile(text).err());
    }
    let refused = [
        "add.sat.u32 %0, %0, %0;",
        "cvt.f32.s32 %2, %0;",
        "cvt.rn.f32.f32 %2, %2;",
        "cvt.s32.f32 %0, %2;",
        "cvt.rn.f32.f16 %2, %3;",
        "fma.f32 %2, %2, %2, %2;",
        "div.f32 %2, %2, %2;",
        "sin.f32 %2, %2;",
        "min.sat.f32 %2, %2, %2;",
        "mul.wide.u64 %0, %1, %1;",
        "bar.sync 16;",
        "bar.sync 1, 33;",
        "bra DONE; { DONE: }",
        "ld.relaxed.global.u32 %0, [%1];",
        "cvt.sat.u16.u8 %3, %0;",
        "cvt.rn.bf16.u8 %3, %0;",
        "cvt.rni.s8.bf16 %0, %3;",
        "{ .reg .bf16 a; mov.b16 a, %3; }",
        "and.pred %0, %0, %0;",
        "isspacep.shared %0, %1;",
        "mov.u32 %0, %%tid;",
        "atom.global.v2.f32.add %0, [%1], %2;",
    ];
    for text in refused {
        assert!(compile(text).is_err(), "{text}");
    }
}
