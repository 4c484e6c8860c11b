//! The mathematics library as kernels call it: names, overloads, the type of each result, and the
//! edges that C++ fixes. How good the values are, `isa/math.rs` tests.

use crate::support::one_thread;
use simt::{Arg, Sources};

/// What the statements leave in `double out[64]`; `x` is 0.5, `f` the same, `n` is 3.
fn run(body: &str) -> Vec<f64> {
    let text = format!("__global__ void k(double* out, double x, float f, int n) {{\n{body}\n}}\n");
    let bytes = one_thread(text, |memory| {
        let out = memory.alloc("out", "double", 8, 64 * 8);
        let args = vec![
            Arg::Buffer(out),
            Arg::Value(0.5f64.to_le_bytes().to_vec()),
            Arg::Value(0.5f32.to_le_bytes().to_vec()),
            Arg::Value(3i32.to_le_bytes().to_vec()),
        ];
        (out, args)
    });
    bytes.chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect()
}

fn check(body: &str, expected: &[f64]) {
    let got = run(body);
    for (i, (got, wanted)) in got.iter().zip(expected).enumerate() {
        let near = got == wanted || (got - wanted).abs() <= 1e-15 * wanted.abs();
        assert!(
            near && got.is_sign_negative() == wanted.is_sign_negative(),
            "out[{i}] = {got:e}, not {wanted:e}: {body}"
        );
    }
}

#[test]
fn the_type_of_the_argument_chooses() {
    let (x, f) = (0.5f64, 0.5f32);
    check(
        "out[0] = sin(x); out[1] = sinf(x); out[2] = sin(f); out[3] = std::sin(f); out[4] = ::sin(x); out[5] = sin(n);",
        &[x.sin(), f64::from(f.sin()), f64::from(f.sin()), f64::from(f.sin()), x.sin(), 3f64.sin()],
    );
    check(
        "out[0] = erf(x); out[1] = erff(f); out[2] = pow(f, 2.0f) == 0.25f; out[3] = sizeof(pow(f, f)) + 10 * sizeof(pow(x, f)); out[4] = sizeof(exp(n)); out[5] = sizeof(std::round(f)); out[6] = sizeof(hypotf(x, x));",
        &[0.520_499_877_813_046_5, 0.520_499_9f32.into(), 1.0, 84.0, 8.0, 4.0, 4.0],
    );
}

#[test]
fn every_function_is_there() {
    for name in simt::isa::Math::names().filter(|n| !n.starts_with("__")) {
        let arity = simt::isa::Math::named(name).unwrap().arity();
        let (double, float) = (vec!["x"; arity].join(", "), vec!["f"; arity].join(", "));
        let out = run(&format!("out[0] = {name}({double}); out[1] = {name}f({float});"));
        let wanted = simt::isa::Math::named(name).unwrap().value(false, [0.5; 4]);
        assert!(out[0] == wanted || wanted.is_nan(), "{name}: {} and {wanted}", out[0]);
        assert!(out[1] == f64::from(wanted as f32) || wanted.is_nan(), "{name}f: {}", out[1]);
    }
}

#[test]
fn quick_forms_are_as_good_as_the_slow_ones() {
    check(
        "out[0] = __expf(f) == expf(f); out[1] = __sinf(f) == sinf(f); out[2] = __powf(f, f) == powf(f, f); out[3] = __fdividef(f, 3.0f) == f / 3.0f; out[4] = __saturatef(f * n); out[5] = __saturatef(-f); out[6] = __saturatef(NAN); out[7] = __fmaf_rn(f, f, f); out[8] = __frcp_rn(f); out[9] = __frsqrt_rn(4.0f);",
        &[1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.75, 2.0, 0.5],
    );
}

#[test]
fn parts_and_classes() {
    check(
        "int e; out[0] = frexp(12.0, &e); out[1] = e; float w; out[2] = modff(-3.75f, &w); out[3] = w; out[4] = ldexp(f, 4); out[5] = scalbn(x, -1); out[6] = ilogb(9.0) + ilogbf(0.25f); out[7] = logb(0.3);",
        &[0.75, 4.0, -0.75, -3.0, 8.0, 0.25, 1.0, -2.0],
    );
    check(
        "out[0] = isnan(NAN) + 2 * isnan(x) + 4 * isinf(-INFINITY) + 8 * isfinite(f) + 16 * isfinite(INFINITY) + 32 * signbit(-0.0f) + 64 * std::isnan(f); out[1] = copysign(x, -0.0); out[2] = fdim(3.0, 1.0) + fdimf(1.0f, 3.0f);",
        &[1.0 + 4.0 + 8.0 + 32.0, -0.5, 2.0],
    );
    check(
        "double s, c; sincos(x, &s, &c); out[0] = s * s + c * c; float p, q; sincosf(f, &p, &q); out[1] = p == sinf(f) && q == cosf(f); __sincosf(f, &p, &q); out[2] = p;",
        &[1.0, 1.0, f64::from(0.5f32.sin())],
    );
}

#[test]
fn roundings() {
    check(
        "out[0] = round(-2.5); out[1] = rint(-2.5); out[2] = nearbyintf(3.5f); out[3] = lroundf(2.5f); out[4] = llrint(2.5); out[5] = trunc(-1.7); out[6] = std::floor(-f); out[7] = __float2int_rn(2.5f) * 100 + __float2int_ru(2.1f) * 10 + __float2int_rd(2.9f); out[8] = __double2int_rz(-7.9); out[9] = __int2float_rn(16777217);",
        &[-3.0, -2.0, 4.0, 3.0, 2.0, -1.0, -1.0, 232.0, -7.0, 16_777_216.0],
    );
    check(
        "out[0] = nextafterf(1.0f, 2.0f) - 1.0f; out[1] = nextafter(0.0, -1.0); out[2] = fmod(-7.0, 3.0); out[3] = remainder(7.0, 4.0); out[4] = norm3df(2.0f, 3.0f, 6.0f); out[5] = fabsf(-f);",
        &[f64::from(f32::EPSILON), -f64::from_bits(1), -1.0, -1.0, 7.0, 0.5],
    );
}

#[test]
fn roundings_in_a_direction() {
    let third = 1.0f64 / 3.0;
    let single = 1.0f32 / 3.0;
    check(
        "out[0] = __ddiv_ru(1.0, 3.0); out[1] = __drcp_rd(3.0); out[2] = __fdiv_rd(1.0f, 3.0f); out[3] = __frcp_ru(3.0f); out[4] = __dadd_ru(1.0, 1e-300); out[5] = __fsub_rz(1.0f, 1e-30f); out[6] = __fmaf_rd(x, x, -1e-30f); out[7] = __dsqrt_rd(2.0); out[8] = __fsqrt_ru(2.0f); out[9] = __fmul_rz(16777215.0f, 16777215.0f);",
        &[
            third.next_up(),
            third,
            single.next_down().into(),
            single.into(),
            1.0f64.next_up(),
            1.0f32.next_down().into(),
            0.25f32.next_down().into(),
            2f64.sqrt().next_down(),
            2f32.sqrt().next_up().into(),
            281_474_943_156_224.0,
        ],
    );
    check(
        "out[0] = __double2float_ru(0.1); out[1] = __double2float_rd(0.1); out[2] = __int2float_rz(16777217); out[3] = __uint2float_ru(16777217u); out[4] = __ll2double_ru((1LL << 60) + 1); out[5] = __ull2double_rd(~0ULL); out[6] = __ll2float_rz(-(1LL << 40) - 1); out[7] = __float2ll_ru(-2.5f); out[8] = __double2uint_ru(2.1); out[9] = __fadd_ru(f, 1e-30f);",
        &[
            0.1f32.into(),
            0.1f32.next_down().into(),
            16_777_216.0,
            16_777_218.0,
            (1u64 << 60) as f64 + 256.0,
            18_446_744_073_709_549_568.0,
            -1_099_511_627_776.0,
            -2.0,
            3.0,
            0.5f32.next_up().into(),
        ],
    );
}

#[test]
fn inverses_bessel_functions_and_lengths() {
    check(
        "out[0] = erf(erfinv(x)); out[1] = erfinv(1.0); out[2] = erfcinvf(1.0f); out[3] = normcdfinv(0.5); out[4] = normcdfinv(0.0); out[5] = isnan(erfinv(1.5)) + 2 * isnan(erfcinv(-1.0)); out[6] = jn(0, 0.0); out[7] = ynf(2, 0.0f); out[8] = cyl_bessel_i0(0.0); out[9] = cyl_bessel_i1f(0.0f);",
        &[0.5, f64::INFINITY, 0.0, 0.0, f64::NEG_INFINITY, 3.0, 1.0, f64::NEG_INFINITY, 1.0, 0.0],
    );
    check(
        "int q; out[0] = remquo(7.0, 2.0, &q); out[1] = q & 7; out[2] = norm4df(1.0f, 1.0f, 1.0f, 1.0f); out[3] = rnorm3d(0.0, 3.0, 4.0); double v[3] = {2.0, 3.0, 6.0}; out[4] = norm(3, v); float w[2] = {3.0f, 4.0f}; out[5] = normf(2, w); out[6] = rnormf(2, w); out[7] = scalbln(x, 3L); out[8] = rhypot(3e200, 4e200);",
        &[-1.0, 4.0, 2.0, 0.2, 7.0, 5.0, f64::from(0.2f32), 4.0, 2e-201],
    );
}

/// What C and CUDA fix at the ends of the range.
#[test]
fn ends_of_the_range() {
    let (inf, low) = (f64::INFINITY, f64::NEG_INFINITY);
    check(
        "double i = INFINITY; out[0] = exp10(i); out[1] = exp10(-i); out[2] = tanh(-i); out[3] = erfcx(i); out[4] = erfcx(-i); out[5] = normcdf(i); out[6] = normcdf(-i); out[7] = cyl_bessel_i0(-i); out[8] = cyl_bessel_i1(-i); out[9] = j1(-0.0); out[10] = y0(0.0); out[11] = norm3d(NAN, i, 1.0); out[12] = rnorm4d(0.0, 0.0, 0.0, 0.0); out[13] = rhypot(i, 1.0); out[14] = normcdfinv(1.0); out[15] = erfcinv(2.0);",
        &[inf, 0.0, -1.0, 0.0, inf, 1.0, 0.0, inf, low, -0.0, low, inf, inf, 0.0, inf, low],
    );
    for f in [
        "exp10",
        "tanh",
        "erfcx",
        "erfinv",
        "erfcinv",
        "normcdf",
        "normcdfinv",
        "j0",
        "y1",
        "cyl_bessel_i0",
        "cyl_bessel_i1",
        "__drcp_ru",
        "__dsqrt_rz",
    ] {
        assert!(run(&format!("out[0] = {f}(NAN);"))[0].is_nan(), "{f}");
    }
}

#[test]
fn integer_helpers() {
    check(
        "out[0] = __byte_perm(0x33221100u, 0x77665544u, 0x7531u) == 0x77553311u; out[1] = __funnelshift_l(0x80000000u, 1u, 1); out[2] = __funnelshift_r(1u, 1u, 1) == 0x80000000u; out[3] = __dp4a(0x01020304, 0x01010101, 5); out[4] = __hadd(-3, 4) + __rhadd(1, 2); out[5] = __mul24(3, -4); out[6] = __fns(0xF0u, 0u, 2); out[7] = __sad(3, -4, 1u); out[8] = __hiloint2double(__double2hiint(x), __double2loint(x));",
        &[1.0, 3.0, 1.0, 15.0, 2.0, -12.0, 5.0, 8.0, 0.5],
    );
}

/// Each part of the word on its own, against the same written in Rust.
#[test]
fn halfwords_and_bytes_of_a_word() {
    type Part = fn(i32, i32, i32) -> i32;
    // Name, whether parts are signed, the result of one part; the third operand is a part's span.
    let cases: [(&str, bool, Part); 16] = [
        ("__vadd", false, |a, b, _| a + b),
        ("__vaddss", true, |a, b, s| (a + b).clamp(-s / 2, s / 2 - 1)),
        ("__vaddus", false, |a, b, s| (a + b).min(s - 1)),
        ("__vsubus", false, |a, b, _| (a - b).max(0)),
        ("__vsubss", true, |a, b, s| (a - b).clamp(-s / 2, s / 2 - 1)),
        ("__vavgs", true, |a, b, _| if a + b < 0 { (a + b) >> 1 } else { (a + b + 1) >> 1 }),
        ("__vavgu", false, |a, b, _| (a + b + 1) / 2),
        ("__vhaddu", false, |a, b, _| (a + b) / 2),
        ("__vabsdiffs", true, |a, b, _| (a - b).abs()),
        ("__vabsdiffu", false, |a, b, _| (a - b).abs()),
        ("__vmaxs", true, |a, b, _| a.max(b)),
        ("__vminu", false, |a, b, _| a.min(b)),
        ("__vcmpgts", true, |a, b, _| -i32::from(a > b)),
        ("__vcmpleu", false, |a, b, _| -i32::from(a <= b)),
        ("__vsetne", false, |a, b, _| i32::from(a != b)),
        ("__vsetltu", false, |a, b, _| i32::from(a < b)),
    ];
    let words = [(0x8001_7fffu32, 0x8000_0001u32), (0x0180_ff00, 0xff7f_0180), (0, 0xffff_ffff)];
    for (name, signed, part) in cases {
        for (count, bits) in [(2, 16), (4, 8)] {
            for (x, y) in words {
                let span = 1i32 << bits;
                let of = |word: u32, at: u32| {
                    let part = (word >> at) as i32 & (span - 1);
                    if signed && part >= span / 2 { part - span } else { part }
                };
                let wanted = (0..32).step_by(bits).fold(0u32, |r, at| {
                    r | ((part(of(x, at), of(y, at), span) & (span - 1)) as u32) << at
                });
                let out = run(&format!("out[0] = {name}{count}({x}u, {y}u);"));
                assert_eq!(out[0], f64::from(wanted), "{name}{count}({x:#x}, {y:#x})");
            }
        }
    }
    check(
        "out[0] = __vsads2(0x80007fffu, 0x7fff8000u); out[1] = __vsadu4(0x01020304u, 0x04030201u); out[2] = __vabsss4(0x80ff7f01u) == 0x7f017f01u; out[3] = __vabs2(0x8000ffffu) == 0x80000001u; out[4] = __vnegss2(0x80000001u) == 0x7fffffffu; bool h, l; out[5] = __vibmax_s16x2(0x0001ffffu, 0x00020001u, &h, &l) == 0x00020001u; out[6] = h + 2 * l; out[7] = __viaddmax_s32_relu(-5, 2, -9); out[8] = __vimin3_s32(3, -1, 2); out[9] = __vimax3_u16x2(0x00010005u, 0x00020004u, 0x00030003u) == 0x00030005u;",
        &[131_070.0, 8.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, -1.0, 1.0],
    );
    check(
        "out[0] = __dp2a_lo(0x00020003, 0x04030201, 1); out[1] = __dp2a_hi(0x00020003, 0x04030201, 1); out[2] = __dp4a(make_char4(1, 2, 3, -4), make_char4(1, 1, 1, 2), 0); out[3] = __nv_bswap32(0x01020304u) == 0x04030201u; out[4] = __nv_bswap64(1ull) == 1ull << 56; out[5] = __nv_bswap16((unsigned short)0x0102); out[6] = ullmax(1ull, 2ull); out[7] = isnan(nan(\"\")) + isnan(nanf(\"1\"));",
        &[8.0, 18.0, -2.0, 1.0, 1.0, 513.0, 2.0, 2.0],
    );
}

/// What is no number becomes 0 or the uppermost bit, by the types.
#[test]
fn what_is_no_number_as_an_integer() {
    check(
        "float q = NAN; double d = q; out[0] = (int)q; out[1] = (unsigned int)q; out[2] = (long long)q == LLONG_MIN; out[3] = (unsigned long long)q == 1ull << 63; out[4] = (int)d == INT_MIN; out[5] = (unsigned int)d == 1u << 31; out[6] = (long long)d == LLONG_MIN; out[7] = (int)(d * 1e300) == INT_MIN; out[8] = (int)1e10f == INT_MAX;",
        &[0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
    );
}

#[test]
fn a_finding_in_built_in_text_belongs_to_who_calls_it() {
    let text = "__global__ void k(float* out, float* s) {\n    sincosf(out[0], &s[4], &s[1]);\n}\n";
    let module = simt::compile(Sources::single("case.cu", text)).unwrap();
    assert!(module.kernels[0].spans.iter().all(|s| s.file == 0));
    let line = |s: &simt::Span| module.sources.position(*s).line;
    assert!(module.kernels[0].spans.iter().filter(|s| line(s) == 2).count() >= 4);
    assert!(module.functions.is_empty(), "built-in functions are nobody's");
}

#[test]
fn a_function_of_the_unit_goes_first() {
    let text = "__device__ float __expf(float x) { return x + 1.0f; }\n__global__ void k(float* out) { out[0] = __expf(out[1]); }\n";
    let module = simt::compile(Sources::single("case.cu", text)).unwrap();
    let code = simt::lower::disassemble(&module.kernels[0]);
    assert!(code.contains("add.f32") && !code.contains("exp"), "{code}");
    assert_eq!(module.functions.len(), 1);
}
