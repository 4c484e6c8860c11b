//! Fused multiply-add of binary64 for processors without an instruction for it (IEEE 754's
//! fusedMultiplyAdd). The standard library's, which computes in integers, takes many times as long.
//!
//! The product is computed as two doubles exactly (Dekker), and so is each sum of two (Knuth's
//! TwoSum). The result is a number and a remainder; the remainder is rounded to odd, so that the
//! final sum is rounded correctly (Boldo and Melquiond, "Emulation of FMA and correctly rounded
//! sums", 2008). That holds while no intermediate result overflows or underflows. Such operands are
//! rare; the library computes those lanes.

use super::float::{self, g};
use crate::machine::simd::lanes_of;

/// `a * b + c` in the lanes of `active`, each rounded once; the other lanes are unspecified.
#[inline(never)]
pub(super) fn fma_row(a: &[u64; 32], b: &[u64; 32], c: &[u64; 32], active: u32) -> [u64; 32] {
    let mut out = [0; 32];
    let mut suspect = 0u32;
    for l in 0..32 {
        let (a, b, c) = (g(a[l]), g(b[l]), g(c[l]));
        out[l] = fused(a, b, c).to_bits();
        suspect |= u32::from(!ordinary(a, b, c)) << l;
    }
    for l in lanes_of(suspect & active) {
        out[l] = float::mul_add64(a[l], b[l], c[l]);
    }
    out
}

/// Whether every step of [`fused`] is exact: the operands' exponents leave room for the product's
/// low half below and for the factor of [`split`] above. False for zeros.
#[inline(always)]
fn ordinary(a: f64, b: f64, c: f64) -> bool {
    let within = |x: f64, limit: u64| {
        let exponent = x.to_bits() >> 52 & 0x7FF;
        exponent.wrapping_sub(1023 - limit) <= 2 * limit
    };
    within(a, 440) & within(b, 440) & within(c, 880)
}

/// `a * b + c`, rounded once, of [`ordinary`] numbers.
#[inline(always)]
fn fused(a: f64, b: f64, c: f64) -> f64 {
    let (high, low) = two_product(a, b);
    let (t, t_rest) = two_sum(c, low);
    let (v, v_rest) = two_sum(high, t);
    let (z, rest) = two_sum(t_rest, v_rest);
    // Round to odd: toward the exact sum, if it lies between two doubles and `z` is even.
    let bits = z.to_bits();
    let inexact = u64::from(rest != 0.0) & !bits & 1;
    let away = u64::from((rest > 0.0) == (z > 0.0));
    let odd = bits.wrapping_add(inexact & away).wrapping_sub(inexact & (1 - away));
    v + f64::from_bits(odd)
}

/// A sum and its error: TwoSum.
#[inline(always)]
fn two_sum(x: f64, y: f64) -> (f64, f64) {
    let s = x + y;
    let t = s - x;
    (s, (x - (s - t)) + (y - t))
}

/// A product and its error: Dekker's TwoProduct.
#[inline(always)]
fn two_product(x: f64, y: f64) -> (f64, f64) {
    let p = x * y;
    let ((xh, xl), (yh, yl)) = (split(x), split(y));
    (p, ((xh * yh - p) + xh * yl + xl * yh) + xl * yl)
}

/// The upper half of a significand, and the rest: Veltkamp's splitting.
#[inline(always)]
fn split(x: f64) -> (f64, f64) {
    let t = x * 134_217_729.0;
    let high = t - (t - x);
    (high, x - high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Lcg64;
    use std::array::from_fn;

    /// Any bits, sums that cancel, ties that something small breaks, and subnormals.
    #[test]
    fn rows_round_once() {
        let mut random = Lcg64(1);
        let mut next = || {
            let z = random.next_u64();
            (z >> 32) << 32 | z.rotate_left(17) >> 32
        };
        let near =
            |x: u64, reach: u64| x & 0x800F_FFFF_FFFF_FFFF | (1023 - (x >> 52) % reach) << 52;
        let rounds = if cfg!(miri) { 2 } else { 20_000 };
        for round in 0..rounds {
            let mut rows: [[u64; 32]; 3] = from_fn(|_| from_fn(|_| next()));
            for l in 0..32 {
                let x = next();
                match round % 6 {
                    1 => rows.iter_mut().for_each(|r| r[l] = near(r[l], 4)),
                    // The product itself, or nearly so, is taken away.
                    2 => {
                        rows[0][l] = near(rows[0][l], 60);
                        rows[1][l] = near(rows[1][l], 60);
                        let p = -(g(rows[0][l]) * g(rows[1][l]));
                        rows[2][l] = p.to_bits().wrapping_add(x % 5).wrapping_sub(2);
                    }
                    // A product of few bits that ends in a half, and something far smaller.
                    3 => {
                        rows[0][l] = near(rows[0][l], 2) & !0x3FF_FFFF | 0x400_0000;
                        rows[1][l] = near(rows[1][l], 2) & !0x3FF_FFFF | 0x200_0000;
                        rows[2][l] = near(rows[2][l], 200);
                    }
                    // Halves of the last place, exactly: ties to even.
                    4 => {
                        rows[0][l] = (1.0 + (x % 4096) as f64).to_bits();
                        rows[1][l] = (2f64.powi(-53) * (x >> 50) as f64).to_bits();
                        rows[2][l] = near(rows[2][l], 3);
                    }
                    // Small exponents: the edge of what is ordinary, and subnormals.
                    5 => rows.iter_mut().for_each(|r| r[l] &= 0x9FFF_FFFF_FFFF_FFFF),
                    _ => {}
                }
            }
            let got = fma_row(&rows[0], &rows[1], &rows[2], u32::MAX);
            for l in 0..32 {
                let [a, b, c] = rows.map(|r| r[l]);
                let names = [a, b, c].map(g);
                assert_eq!(got[l], float::mul_add64(a, b, c), "{names:?}");
            }
        }
    }

    #[test]
    fn zeros_keep_their_signs() {
        for (a, b, c) in [(0.0, 1.0, -0.0), (-0.0, 1.0, -0.0), (1.0, 1.0, -1.0), (2.0, 0.0, 3.0)] {
            let row = |x: f64| [x.to_bits(); 32];
            let got = fma_row(&row(a), &row(b), &row(c), u32::MAX);
            assert_eq!(got, row(a.mul_add(b, c)), "{a} * {b} + {c}");
        }
    }
}
