//! Loop bodies of the fast path in WebAssembly's vector instructions, four lanes at a time.
//!
//! `scalar` does the same for one lane. The two differ where WebAssembly has no vector instruction:
//! a shift takes one count for all lanes, and a fused multiply-add is computed in binary64 (as
//! `fma32::fma_row` does it).

use super::float::{NAN32, b32};
use super::fma32::fma_via_odd;
use super::fma64;
use crate::isa::Reg;
use crate::machine::simd::{Mask, Registers};
use core::arch::wasm32::*;
use std::array::from_fn;

macro_rules! lanes {
    ($($name:ident($($x:ident),+) = $value:expr;)+) => {$(
        #[inline(always)]
        pub(super) fn $name($($x: v128),+) -> v128 {
            $value
        }
    )+};
}

lanes! {
    copy(x) = x;
    copy_wide(x) = x;
    add(x, y) = i32x4_add(x, y);
    sub(x, y) = i32x4_sub(x, y);
    mul(x, y) = i32x4_mul(x, y);
    and(x, y) = v128_and(x, y);
    or(x, y) = v128_or(x, y);
    xor(x, y) = v128_xor(x, y);
    shl(x, y) = shifted(x, y, |x, y| u32x4_shl(x, y), |x, y| x.unbounded_shl(y));
    shr(x, y) = shifted(x, y, |x, y| u32x4_shr(x, y), |x, y| x.unbounded_shr(y));
    shr_signed(x, y) =
        shifted(x, u32x4_min(y, u32x4_splat(31)), |x, y| i32x4_shr(x, y), |x, y| {
            (x as i32 >> y) as u32
        });
    min_signed(x, y) = i32x4_min(x, y);
    max_signed(x, y) = i32x4_max(x, y);
    add_float(x, y) = canonical_nan(f32x4_add(x, y));
    sub_float(x, y) = canonical_nan(f32x4_sub(x, y));
    mul_float(x, y) = canonical_nan(f32x4_mul(x, y));
    eq(x, y) = truth(i32x4_eq(x, y));
    ne(x, y) = truth(i32x4_ne(x, y));
    lt_signed(x, y) = truth(i32x4_lt(x, y));
    le_signed(x, y) = truth(i32x4_le(x, y));
    lt(x, y) = truth(u32x4_lt(x, y));
    le(x, y) = truth(u32x4_le(x, y));
    eq_float(x, y) = truth(f32x4_eq(x, y));
    ne_float(x, y) = truth(f32x4_ne(x, y));
    lt_float(x, y) = truth(f32x4_lt(x, y));
    le_float(x, y) = truth(f32x4_le(x, y));
    add_wide(x, y) = i64x2_add(x, y);
    sub_wide(x, y) = i64x2_sub(x, y);
    mul_wide(x, y) = i64x2_mul(x, y);
    mul_add(x, y, z) = add(mul(x, y), z);
    select(cond, x, y) = v128_bitselect(y, x, u32x4_eq(cond, u32x4_splat(0)));
    int_to_float(x) = f32x4_convert_i32x4(x);
}

/// The canonical NaN in place of every NaN.
#[inline(always)]
fn canonical_nan(x: v128) -> v128 {
    v128_bitselect(x, u32x4_splat(NAN32), f32x4_eq(x, x))
}

/// All ones, WebAssembly's "true", become 1.
#[inline(always)]
fn truth(all: v128) -> v128 {
    u32x4_shr(all, 31)
}

/// Shifts by one vector instruction if all lanes have the same count, as most do; else lane by lane.
#[inline(always)]
fn shifted(
    x: v128,
    count: v128,
    all: impl Fn(v128, u32) -> v128,
    one: impl Fn(u32, u32) -> u32,
) -> v128 {
    let first = u32x4_extract_lane::<0>(count);
    if first < 32 && u32x4_all_true(u32x4_eq(count, u32x4_splat(first))) {
        return all(x, first);
    }
    u32x4(
        one(u32x4_extract_lane::<0>(x), first),
        one(u32x4_extract_lane::<1>(x), u32x4_extract_lane::<1>(count)),
        one(u32x4_extract_lane::<2>(x), u32x4_extract_lane::<2>(count)),
        one(u32x4_extract_lane::<3>(x), u32x4_extract_lane::<3>(count)),
    )
}

/// `d = a`, sign-extended to 64 bits.
#[inline(always)]
pub(super) fn sign_extend(r: &mut Registers, m: &Mask, d: Reg, a: Reg) {
    let row = r.vectors(a);
    let wide: [v128; 16] = from_fn(|i| match i % 2 {
        0 => i64x2_extend_low_i32x4(row[i / 2]),
        _ => i64x2_extend_high_i32x4(row[i / 2]),
    });
    r.put_vectors(m, d, wide);
}

/// `d = a * b + c` in binary32, rounded once. There is no instruction for it: the sum is rounded to
/// binary64 and then to binary32, which mostly gives the same.
#[inline(always)]
pub(super) fn fma_float<const FMA: bool>(
    r: &mut Registers,
    m: &Mask,
    d: Reg,
    a: Reg,
    b: Reg,
    c: Reg,
) {
    let (x, y, z) = (r.vectors(a), r.vectors(b), r.vectors(c));
    let mut suspect = u32x4_splat(0);
    let out: [v128; 8] = from_fn(|i| {
        let low = sum(x[i], y[i], z[i]);
        let high = sum(upper(x[i]), upper(y[i]), upper(z[i]));
        // The sums' lower words.
        let words = u32x4_shuffle::<0, 2, 4, 6>(low, high);
        let new = canonical_nan(narrow(low, high));
        let small = f32x4_lt(f32x4_abs(new), f32x4_splat(f32::MIN_POSITIVE));
        suspect = or(suspect, or(halfway(words), small));
        new
    });
    let out = if v128_any_true(suspect) { fma_checked(x, y, z) } else { out };
    r.put_vectors(m, d, out);
}

#[inline(always)]
fn upper(all: v128) -> v128 {
    u32x4_shuffle::<2, 3, 2, 3>(all, all)
}

/// The sums of the lower two lanes in binary64, where the product is exact.
#[inline(always)]
fn sum(a: v128, b: v128, c: v128) -> v128 {
    let wide = f64x2_promote_low_f32x4;
    f64x2_add(f64x2_mul(wide(a), wide(b)), wide(c))
}

/// Whether the sums with these lower words lie halfway between two floats: then it matters what the
/// first rounding discarded.
#[inline(always)]
fn halfway(words: v128) -> v128 {
    u32x4_eq(and(words, u32x4_splat(0x1FFF_FFFF)), u32x4_splat(0x1000_0000))
}

#[inline(always)]
fn narrow(low: v128, high: v128) -> v128 {
    u32x4_shuffle::<0, 1, 4, 5>(f32x4_demote_f64x2_zero(low), f32x4_demote_f64x2_zero(high))
}

/// The same with more care: some result is 0 or subnormal, or may have been rounded twice.
#[inline(never)]
fn fma_checked(x: &[v128; 8], y: &[v128; 8], z: &[v128; 8]) -> [v128; 8] {
    from_fn(|i| {
        let low = sum(x[i], y[i], z[i]);
        let high = sum(upper(x[i]), upper(y[i]), upper(z[i]));
        let middle = halfway(u32x4_shuffle::<0, 2, 4, 6>(low, high));
        // Subnormals are further apart, so halfway is elsewhere.
        let tiny = |sum| {
            let small = f64x2_lt(f64x2_abs(sum), f64x2_splat(f32::MIN_POSITIVE.into()));
            and(small, f64x2_ne(sum, f64x2_splat(0.0)))
        };
        if v128_any_true(or(middle, or(tiny(low), tiny(high)))) {
            return fma_exact(x[i], y[i], z[i]);
        }
        canonical_nan(narrow(low, high))
    })
}

#[inline(never)]
fn fma_exact(x: v128, y: v128, z: v128) -> v128 {
    macro_rules! lane {
        ($l:literal) => {{
            let of = f32x4_extract_lane::<$l>;
            b32(fma_via_odd(of(x), of(y), of(z)))
        }};
    }
    u32x4(lane!(0), lane!(1), lane!(2), lane!(3))
}

/// `d = a * b + c` in binary64, rounded once.
#[inline(always)]
pub(super) fn fma_double<const FMA: bool>(
    r: &mut Registers,
    m: &Mask,
    d: Reg,
    a: Reg,
    b: Reg,
    c: Reg,
) {
    let out = fma64::fma_row(r.pair(a), r.pair(b), r.pair(c), m.bits);
    r.put_pair(m, d, &out);
}
