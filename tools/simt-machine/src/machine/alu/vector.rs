//! What the machine does most, for four lanes, in WebAssembly's own vectors.
//!
//! `lane` is the same for one lane. It differs where there is no such vector instruction: a shift
//! takes one count for all lanes, and a fused multiply-add is made of binary64 (as
//! `float::fma_row` does it).

use super::double;
use super::float::{NAN32, b32, fma32_exact};
use crate::isa::Reg;
use crate::machine::simd::{Mask, Registers};
use core::arch::wasm32::*;
use std::array::from_fn;

macro_rules! each {
    ($($name:ident($x:ident, $y:ident) = $value:expr;)*) => {$(
        #[inline(always)]
        pub(super) fn $name($x: v128, $y: v128) -> v128 {
            $value
        }
    )*};
}

each! {
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
    add_float(x, y) = one_nan(f32x4_add(x, y));
    sub_float(x, y) = one_nan(f32x4_sub(x, y));
    mul_float(x, y) = one_nan(f32x4_mul(x, y));
    eq(x, y) = one(i32x4_eq(x, y));
    ne(x, y) = one(i32x4_ne(x, y));
    lt_signed(x, y) = one(i32x4_lt(x, y));
    le_signed(x, y) = one(i32x4_le(x, y));
    lt(x, y) = one(u32x4_lt(x, y));
    le(x, y) = one(u32x4_le(x, y));
    eq_float(x, y) = one(f32x4_eq(x, y));
    ne_float(x, y) = one(f32x4_ne(x, y));
    lt_float(x, y) = one(f32x4_lt(x, y));
    le_float(x, y) = one(f32x4_le(x, y));
    add_wide(x, y) = i64x2_add(x, y);
    sub_wide(x, y) = i64x2_sub(x, y);
    mul_wide(x, y) = i64x2_mul(x, y);
}

#[inline(always)]
pub(super) fn to_float(x: v128) -> v128 {
    f32x4_convert_i32x4(x)
}

/// Where floats are no numbers, the one NaN.
#[inline(always)]
fn one_nan(x: v128) -> v128 {
    v128_bitselect(x, u32x4_splat(NAN32), f32x4_eq(x, x))
}

/// What is true is 1.
#[inline(always)]
fn one(all: v128) -> v128 {
    u32x4_shr(all, 31)
}

/// The same count in all lanes, as mostly; or lane by lane.
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

#[inline(always)]
pub(super) fn mul_add(x: v128, y: v128, z: v128) -> v128 {
    add(mul(x, y), z)
}

#[inline(always)]
pub(super) fn select(cond: v128, x: v128, y: v128) -> v128 {
    v128_bitselect(y, x, u32x4_eq(cond, u32x4_splat(0)))
}

/// `d = a`, sign-extended to 64 bits.
#[inline(always)]
pub(super) fn to_wide(r: &mut Registers, m: &Mask, d: Reg, a: Reg) {
    let row = r.vectors(a);
    let wide: [v128; 16] = from_fn(|i| match i % 2 {
        0 => i64x2_extend_low_i32x4(row[i / 2]),
        _ => i64x2_extend_high_i32x4(row[i / 2]),
    });
    r.put_vectors(m, d, wide);
}

/// `d = a * b + c` in single precision, rounded once. There is no instruction for it: the sum is
/// rounded to binary64 and again, which is mostly as good.
#[inline(always)]
pub(super) fn fused<const FMA: bool>(r: &mut Registers, m: &Mask, d: Reg, a: Reg, b: Reg, c: Reg) {
    let (x, y, z) = (r.vectors(a), r.vectors(b), r.vectors(c));
    let mut doubtful = u32x4_splat(0);
    let out: [v128; 8] = from_fn(|i| {
        let low = sum(x[i], y[i], z[i]);
        let high = sum(upper(x[i]), upper(y[i]), upper(z[i]));
        // The sums' lower words.
        let words = u32x4_shuffle::<0, 2, 4, 6>(low, high);
        let new = one_nan(narrow(low, high));
        let small = f32x4_lt(f32x4_abs(new), f32x4_splat(f32::MIN_POSITIVE));
        doubtful = or(doubtful, or(halfway(words), small));
        new
    });
    let out = if v128_any_true(doubtful) { carefully(x, y, z) } else { out };
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

/// Whether these lower words of sums lie in the middle between two floats: then it matters what the
/// first rounding took away.
#[inline(always)]
fn halfway(words: v128) -> v128 {
    u32x4_eq(and(words, u32x4_splat(0x1FFF_FFFF)), u32x4_splat(0x1000_0000))
}

#[inline(always)]
fn narrow(low: v128, high: v128) -> v128 {
    u32x4_shuffle::<0, 1, 4, 5>(f32x4_demote_f64x2_zero(low), f32x4_demote_f64x2_zero(high))
}

/// Where a result is 0 or denormal, or may have been rounded the wrong way the second time.
#[inline(never)]
fn carefully(x: &[v128; 8], y: &[v128; 8], z: &[v128; 8]) -> [v128; 8] {
    from_fn(|i| {
        let low = sum(x[i], y[i], z[i]);
        let high = sum(upper(x[i]), upper(y[i]), upper(z[i]));
        let middle = halfway(u32x4_shuffle::<0, 2, 4, 6>(low, high));
        // Denormals have their middles elsewhere.
        let tiny = |sum| {
            let small = f64x2_lt(f64x2_abs(sum), f64x2_splat(f32::MIN_POSITIVE.into()));
            and(small, f64x2_ne(sum, f64x2_splat(0.0)))
        };
        if v128_any_true(or(middle, or(tiny(low), tiny(high)))) {
            return exactly(x[i], y[i], z[i]);
        }
        one_nan(narrow(low, high))
    })
}

#[inline(never)]
fn exactly(x: v128, y: v128, z: v128) -> v128 {
    macro_rules! lane {
        ($l:literal) => {{
            let of = f32x4_extract_lane::<$l>;
            b32(fma32_exact(of(x), of(y), of(z)))
        }};
    }
    u32x4(lane!(0), lane!(1), lane!(2), lane!(3))
}

/// `d = a * b + c` in double precision, rounded once.
#[inline(always)]
pub(super) fn fused_wide<const FMA: bool>(
    r: &mut Registers,
    m: &Mask,
    d: Reg,
    a: Reg,
    b: Reg,
    c: Reg,
) {
    let out = double::fma_row(r.pair(a), r.pair(b), r.pair(c), m.bits);
    r.put_pair(m, d, &out);
}
