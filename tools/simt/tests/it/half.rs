//! 16-bit floats as kernels use them: what is written, what it becomes, and to which bit.

use simt::{Arg, Config, Launch, Memory, Outcome, Sources};

/// The bits that the statements leave in `H out[32]`; `in` holds 1, 2, 3, ... and `f` is 0.1.
fn run(ty: &str, body: &str) -> Vec<u16> {
    let header = if ty == "__half" { "cuda_fp16.h" } else { "cuda_bf16.h" };
    let pair = if ty == "__half" { "__half2" } else { "__nv_bfloat162" };
    let text = format!(
        "#include <{header}>\ntypedef {ty} H; typedef {pair} H2;\n__global__ void k(H* out, const H* in, float f, int n) {{\n{body}\n}}\n"
    );
    let module = simt::compile(Sources::single("case.cu", text)).unwrap_or_else(|e| {
        panic!("{body}\n{}", e.diagnostics.iter().map(|d| d.render(&e.sources)).collect::<String>())
    });
    let mut memory = Memory::new();
    let out = memory.alloc("out", ty, 2, 64);
    let input = memory.alloc("in", ty, 2, 64);
    let one = |i: usize| half_bits(ty, i as f64 + 1.0);
    let values: Vec<u8> = (0..32).flat_map(|i| one(i).to_le_bytes()).collect();
    memory.upload(input, &values);
    let args = [
        Arg::Buffer(out),
        Arg::Buffer(input),
        Arg::Value(0.1f32.to_le_bytes().to_vec()),
        Arg::Value(3i32.to_le_bytes().to_vec()),
    ];
    let kernel = module.kernel("k").unwrap();
    let launch = Launch { kernel, grid: 1.into(), block: 1.into(), dynamic_shared: 0, args: &args };
    let report = simt::launch(&module, &launch, &mut memory, &Config::default()).unwrap();
    let findings: String = report.findings.iter().map(|f| f.render(&module.sources)).collect();
    assert_eq!((report.outcome, &*findings), (Outcome::Completed, ""), "{body}");
    memory.download(out).chunks(2).map(|b| u16::from_le_bytes([b[0], b[1]])).collect()
}

/// The bits of a number that the type holds exactly.
fn half_bits(ty: &str, value: f64) -> u16 {
    let bits = (value as f32).to_bits();
    if ty != "__half" {
        assert_eq!(bits & 0xFFFF, 0, "{value} is no bfloat16");
        return (bits >> 16) as u16;
    }
    if value == 0.0 {
        return (bits >> 16) as u16;
    }
    assert_eq!(bits & 0x1FFF, 0, "{value} is no half");
    let exponent = ((bits >> 23 & 0xFF) as i32 - 127 + 15) as u16;
    (bits >> 16) as u16 & 0x8000 | exponent << 10 | (bits >> 13 & 0x3FF) as u16
}

fn check(body: &str, expected: &[f64]) {
    for ty in ["__half", "__nv_bfloat16"] {
        let got = run(ty, body);
        let wanted: Vec<u16> = expected.iter().map(|v| half_bits(ty, *v)).collect();
        assert_eq!(got[..wanted.len()], wanted, "{ty}: {body}");
    }
}

#[test]
fn operators_and_conversions() {
    check(
        "out[0] = in[0] + in[1]; out[1] = in[2] * in[3] - in[0]; out[2] = in[0] / in[3]; out[3] = -in[4]; out[4] = (H)n; out[5] = H(2.5f); out[6] = (float)in[1] + 0.5f; H h = 1; h += 2.0f; h *= in[1]; ++h; out[7] = h; out[8] = 0.0f;",
        &[3.0, 11.0, 0.25, -5.0, 3.0, 2.5, 2.5, 7.0, 0.0],
    );
    check(
        "out[0] = in[0] < in[1] && in[2] == in[2] && in[0] != in[1] && !(in[3] <= in[2]); int i = in[4]; out[1] = i; if (in[0]) out[2] = 1; out[3] = n > 2 ? in[3] : in[0]; float g = in[6]; out[4] = g; out[5] = sqrtf(in[8]) + fmaxf(in[0], 2.0f); constexpr H c = 1.5f; out[6] = c;",
        &[1.0, 5.0, 1.0, 4.0, 7.0, 5.0, 1.5],
    );
}

#[test]
fn functions() {
    check(
        "out[0] = __hadd(in[0], in[1]); out[1] = __hfma(in[1], in[2], in[3]); out[2] = __hmax(in[0], in[4]); out[3] = __habs(__hneg(in[1])); out[4] = __hgt(in[1], in[0]); out[5] = hsqrt(in[3]); out[6] = __hsub_rn(in[0], in[3]); out[7] = __hdiv(in[0], in[1]); out[8] = hexp2(in[2]); out[9] = __hmin(in[3], in[2]); out[10] = hrcp(in[1]); out[11] = __shfl_sync(1u, in[3], 0);",
        &[3.0, 10.0, 5.0, 2.0, 1.0, 2.0, -3.0, 0.5, 8.0, 3.0, 0.5, 4.0],
    );
}

#[test]
fn pairs() {
    check(
        "const H2* p = reinterpret_cast<const H2*>(in); H2* q = reinterpret_cast<H2*>(out); q[0] = p[0] + p[1]; q[1] = __hfma2(p[0], p[1], p[2]); H2 v; v.x = in[0]; v.y = v.x + in[0]; q[2] = v; H2 w = {in[3], in[4]}; w *= v; q[3] = w; q[4] = H2(1.0f, 2.0f); q[5] = -__hmul2(v, v); out[12] = __low2float(w) + __high2float(w); out[13] = w.y; out[14] = v == v; out[15] = __hbgt2(w, v);",
        &[4.0, 6.0, 8.0, 14.0, 1.0, 2.0, 4.0, 10.0, 1.0, 2.0, -1.0, -4.0, 14.0, 10.0, 1.0, 1.0],
    );
    check(
        "__shared__ H2 s[2]; s[0].x = in[1]; s[0].y = in[2]; s[1] = __shfl_xor_sync(1u, s[0], 0); H2* q = (H2*)out; q[0] = s[1]; q[1] = __hgt2(s[0], H2(2.0f, 2.0f)); q[2] = H2{}; q[3] = __hmax2(s[0], H2(2.5f, 2.5f)); struct P { H2 v; H h; }; P t; t.v = s[0]; t.v.y += in[0]; t.h = t.v.y; q[4] = t.v; out[10] = t.h; atomicAdd(q + 4, H2(1.0f, 2.0f)); out[11] = __lowhigh2highlow(t.v).x;",
        &[2.0, 3.0, 0.0, 1.0, 0.0, 0.0, 2.5, 3.0, 3.0, 6.0, 4.0, 4.0],
    );
}

/// The nearest 16 bits, ties to even; and one rounding where the device has one.
#[test]
fn rounding() {
    let out = run(
        "__half",
        "out[0] = f; out[1] = 2049.0f; out[2] = 2051.0f; out[3] = 65520.0f; out[4] = 1e-8f; out[5] = __float2half_rn(-f); out[6] = __double2half(0.1); out[7] = __int2half_rn(2049);",
    );
    assert_eq!(out[..8], [0x2E66, 0x6800, 0x6802, 0x7C00, 0x0000, 0xAE66, 0x2E66, 0x6800]);
    let out = run(
        "__nv_bfloat16",
        "out[0] = f; out[1] = 257.0f; out[2] = 259.0f; out[3] = __float2bfloat16(3.4e38f); out[4] = __float2bfloat16_rn(-f);",
    );
    assert_eq!(out[..5], [0x3DCD, 0x4380, 0x4382, 0x7F80, 0xBDCD]);
    // 1.001 * 1.001 + -1.002: what is left of the product is lost without contraction.
    let fused = run(
        "__half",
        "H a = H(1.0009765625f), b = H(-1.001953125f); out[0] = a * a + b; out[1] = __hadd(__hmul(a, a), b); out[2] = __hadd_rn(__hmul_rn(a, a), b); out[3] = __hfma(a, a, b);",
    );
    assert_eq!(fused[..4], [0x0010, 0x0010, 0x0000, 0x0010]);
    let bits = run(
        "__half",
        "out[0] = __ushort_as_half(0x3C01); out[1] = __half_as_ushort(in[0]) == 0x3C00; out[2] = __hisnan(__ushort_as_half(0x7E00)); out[3] = __hisinf(H(1e9f)); out[4] = H(NAN);",
    );
    assert_eq!(bits[..5], [0x3C01, 0x3C00, 0x3C00, 0x3C00, 0x7FFF]);
}

#[test]
fn the_rest_of_the_library() {
    check(
        "H q = H(NAN); out[0] = __hadd_sat(in[0], in[1]); out[1] = __hmul_sat(-in[0], in[1]); out[2] = __hfma_sat(q, q, q); out[3] = __hisnan(__hmax_nan(in[0], q)); out[4] = __hmax(in[0], q); out[5] = __hequ(q, in[0]) + 2 * __hgtu(in[0], in[1]) + 4 * __hltu(in[0], in[1]); out[6] = __hmin_nan(in[1], in[2]);",
        &[1.0, 0.0, 0.0, 1.0, 1.0, 5.0, 2.0],
    );
    check(
        "const H2* p = (const H2*)in; H2* o = (H2*)out; o[0] = __hmul2_sat(p[0], H2(0.25f, 9.0f)); out[2] = __hgt2_mask(p[0], H2(1.5f, 1.5f)) == 0xffff0000u; o[2] = __hcmadd(p[0], p[0], H2(0.0f, 0.0f)); o[3] = h2floor(H2(1.5f, -1.5f)); o[4] = __hfma2_relu(p[0], H2(-1.0f, 1.0f), p[0]); o[5] = __hneu2(p[0], H2(1.0f, 1.0f)); o[6] = h2exp10(H2(0.0f, 1.0f)); out[3] = __hbneu2(p[0], H2(3.0f, 3.0f));",
        &[0.25, 1.0, 1.0, 1.0, -3.0, 4.0, 1.0, -2.0, 0.0, 4.0, 0.0, 1.0, 1.0, 10.0],
    );
}

#[test]
fn conversions_round_as_their_names_say() {
    let out = run(
        "__half",
        "out[0] = __float2half_rd(f); out[1] = __float2half_ru(f); out[2] = __float2half_rz(-f); out[3] = __int2half_ru(2049); out[4] = __ll2half_rz(-2049ll); out[5] = __half2int_ru(H(2.5f)) == 3; out[6] = __half2short_rn(H(60000.0f)) == 32767; out[7] = __half2ushort_rd(H(-1.0f)) == 0; out[8] = __half2uchar_rz(H(300.0f)) == 255; out[9] = __half2ll_rd(H(-2.5f)) == -3; out[10] = __float2half_rz(1e9f);",
    );
    let one = 0x3C00;
    assert_eq!(
        out[..11],
        [0x2E66, 0x2E67, 0xAE66, 0x6801, 0xE800, one, one, one, one, one, 0x7BFF]
    );
    let out = run(
        "__nv_bfloat16",
        "out[0] = __float2bfloat16_rd(f); out[1] = __float2bfloat16_ru(f); out[2] = __uint2bfloat16_ru(257u); out[3] = __bfloat162int_rd(H(-2.5f)) == -3; out[4] = __ull2bfloat16_rz(~0ull);",
    );
    assert_eq!(out[..5], [0x3DCC, 0x3DCD, 0x4381, 0x3F80, 0x5F7F]);
}

/// Two bytes in a word whose other two stay as they are, from all lanes of a warp.
#[test]
fn atomics_on_two_bytes() {
    check(
        "out[0] = 0.0f; out[1] = 7.0f; H before = atomicAdd(&out[0], in[1]); out[2] = before; atomicAdd(out, in[2]); __shared__ H s[2]; s[0] = in[0]; s[1] = in[1]; atomicAdd(&s[1], in[3]); out[3] = s[0]; out[4] = s[1]; unsigned short* u = (unsigned short*)&out[5]; *u = 5; out[6] = atomicCAS(u, (unsigned short)5, (unsigned short)0) == 5;",
        &[5.0, 7.0, 0.0, 1.0, 6.0, 0.0, 1.0],
    );
}

/// An operation on a pair is one instruction, as on the device.
#[test]
fn a_pair_is_one_register() {
    let text = "#include <cuda_fp16.h>\n__global__ void k(half2* a, half2 b) { a[0] = __hfma2(a[1], b, a[2]); a[3] = a[1] * b + a[2]; }\n";
    let module = simt::compile(Sources::single("case.cu", text)).unwrap();
    let code = simt::lower::disassemble(&module.kernels[0]);
    assert_eq!(code.matches("fma.f16x2").count(), 2, "{code}");
    assert_eq!(code.matches("load.b32").count(), 4, "{code}");
    assert_eq!(module.kernels[0].params[0].pointee.as_ref().unwrap().name, "__half2");
}
