//! A fused multiply-add in WebAssembly's vectors, which have none.
//!
//! What [`super::float::fma_row`] does, said in the instructions themselves: the compiler does not
//! find them. Engines keep the whole row in vector registers this way.

use super::float::{NAN32, b32, f, fma32_exact};
use core::arch::wasm32::*;

/// `a * b + c` in 32 lanes, each rounded once.
#[inline(always)]
pub(super) fn fma_row(a: &[u32; 32], b: &[u32; 32], c: &[u32; 32]) -> [u32; 32] {
    let mut out = [0; 32];
    let mut doubtful = u64x2_splat(0);
    for first in (0..32).step_by(4) {
        let (a, b, c) = (four(a, first), four(b, first), four(c, first));
        let (low, doubt_low) = two(a, b, c);
        let (high, doubt_high) = two(upper(a), upper(b), upper(c));
        doubtful = v128_or(doubtful, v128_or(doubt_low, doubt_high));
        let (low, high) = (f32x4_demote_f64x2_zero(low), f32x4_demote_f64x2_zero(high));
        let values = u32x4_shuffle::<0, 1, 4, 5>(low, high);
        let values = v128_bitselect(values, u32x4_splat(NAN32), f32x4_eq(values, values));
        out[first] = u32x4_extract_lane::<0>(values);
        out[first + 1] = u32x4_extract_lane::<1>(values);
        out[first + 2] = u32x4_extract_lane::<2>(values);
        out[first + 3] = u32x4_extract_lane::<3>(values);
    }
    if v128_any_true(doubtful) { exactly(a, b, c) } else { out }
}

#[inline(always)]
fn four(row: &[u32; 32], first: usize) -> v128 {
    u32x4(row[first], row[first + 1], row[first + 2], row[first + 3])
}

#[inline(always)]
fn upper(all: v128) -> v128 {
    u32x4_shuffle::<2, 3, 2, 3>(all, all)
}

/// The sums of the lower two lanes in binary64, and where a second rounding may go wrong.
#[inline(always)]
fn two(a: v128, b: v128, c: v128) -> (v128, v128) {
    let wide = f64x2_promote_low_f32x4;
    let sum = f64x2_add(f64x2_mul(wide(a), wide(b)), wide(c));
    let rest = v128_and(sum, u64x2_splat(0x1FFF_FFFF));
    let middle = u64x2_eq(rest, u64x2_splat(0x1000_0000));
    let small = f64x2_lt(f64x2_abs(sum), f64x2_splat(f32::MIN_POSITIVE.into()));
    let tiny = v128_and(small, f64x2_ne(sum, f64x2_splat(0.0)));
    (sum, v128_or(middle, tiny))
}

#[cold]
fn exactly(a: &[u32; 32], b: &[u32; 32], c: &[u32; 32]) -> [u32; 32] {
    std::array::from_fn(|l| b32(fma32_exact(f(a[l]), f(b[l]), f(c[l]))))
}
