//! Fused multiply-add of binary32 for processors without an instruction for it (IEEE 754's
//! fusedMultiplyAdd).
//!
//! The product of two binary32 is exact in binary64. The sum is rounded there and again to binary32.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use super::float::{b32, f};
use crate::isa::half::fma_odd;

/// `a * b + c` in 32 lanes, each rounded once.
///
/// The two roundings equal one unless the first ends halfway between two floats, or the result is
/// subnormal, where halfway is elsewhere; then [`fma_via_odd`] decides. That is rare, and all other
/// operations exist as vector instructions, in WebAssembly too.
#[inline(always)]
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(super) fn fma_row(a: &[u32; 32], b: &[u32; 32], c: &[u32; 32]) -> [u32; 32] {
    let mut out = [0; 32];
    for first in (0..32).step_by(4) {
        let part = |row: &[u32; 32]| -> [f32; 4] { std::array::from_fn(|l| f(row[first + l])) };
        let (a, b, c) = (part(a), part(b), part(c));
        let sums: [f64; 4] =
            std::array::from_fn(|l| f64::from(a[l]) * f64::from(b[l]) + f64::from(c[l]));
        let suspect = sums.map(|s| {
            let halfway = s.to_bits() & 0x1FFF_FFFF == 0x1000_0000;
            let tiny = s.abs() < f64::from(f32::MIN_POSITIVE) && s != 0.0;
            u32::from(halfway | tiny)
        });
        let values: [u32; 4] = if suspect.iter().fold(0, |all, one| all | one) == 0 {
            std::array::from_fn(|l| b32(sums[l] as f32))
        } else {
            std::array::from_fn(|l| b32(fma_via_odd(a[l], b[l], c[l])))
        };
        out[first..first + 4].copy_from_slice(&values);
    }
    out
}

/// `a * b + c`, rounded once: the sum is rounded to odd in binary64, so that the final rounding sees
/// on which side the exact sum lies.
#[cold]
pub(super) fn fma_via_odd(a: f32, b: f32, c: f32) -> f32 {
    fma_odd(a.into(), b.into(), c.into()) as f32
}

#[cfg(test)]
mod tests {
    use super::super::fast_path::lanes;
    use super::*;
    use crate::machine::alu::float::{b32, f};
    use crate::machine::simd::{FULL, Mask, Registers};
    use crate::random::Lcg64;
    use std::array::from_fn;

    #[test]
    fn rounding_to_odd_rounds_once() {
        let mut random = Lcg64(1);
        let mut next = || {
            let z = random.next_u64();
            // Exponents near each other, so that the sum cancels and ties occur.
            f32::from_bits(((z >> 33) as u32 & 0x87FF_FFFF) | 0x3800_0000)
        };
        for _ in 0..200_000 {
            let (a, b, c) = (next(), next(), next());
            for c in [c, -(a * b), f32::from_bits((a * b).to_bits() ^ 0x8000_0001), 0.0, 1e-40] {
                assert_eq!(
                    fma_via_odd(a, b, c).to_bits(),
                    a.mul_add(b, c).to_bits(),
                    "{a:e} * {b:e} + {c:e}"
                );
            }
        }
    }

    /// Any bits, and sums that end halfway between two floats, but for something small.
    #[test]
    fn rows_round_once() {
        let mut random = Lcg64(1);
        let mut next = || {
            let z = random.next_u64();
            (z >> 32) as u32
        };
        let rounds = if cfg!(miri) { 2 } else { 20_000 };
        for round in 0..rounds {
            let mut rows: [[u32; 32]; 3] = from_fn(|_| from_fn(|_| next()));
            for l in 0..32 {
                match round % 4 {
                    // Exponents near each other, so that the sum cancels.
                    1 => rows.iter_mut().for_each(|r| r[l] = r[l] & 0x87FF_FFFF | 0x3800_0000),
                    // A product that ends in a half, and a sum that moves it by very little.
                    2 => {
                        rows[0][l] = rows[0][l] & 0x007F_F000 | 0x3F80_0800;
                        rows[1][l] = rows[1][l] & 0x007F_F000 | 0x3F80_0000;
                        rows[2][l] = rows[2][l] & 0x8FFF_FFFF | 0x1000_0000;
                    }
                    // Results that are subnormal or nearly so.
                    3 => {
                        rows[0][l] = rows[0][l] & 0x81FF_FFFF | 0x1F00_0000;
                        rows[1][l] = rows[1][l] & 0x81FF_FFFF | 0x1F00_0000;
                        rows[2][l] &= 0x81FF_FFFF;
                    }
                    _ => {}
                }
            }
            let mut r = Registers::new(4);
            (*r.row_mut(0), *r.row_mut(1), *r.row_mut(2)) = (rows[0], rows[1], rows[2]);
            lanes::fma_float::<false>(&mut r, &Mask::new(FULL), 3, 0, 1, 2);
            let got = r.row(3);
            for l in 0..32 {
                let [a, b, c] = rows.map(|r| f(r[l]));
                assert_eq!(got[l], b32(a.mul_add(b, c)), "{a:e} * {b:e} + {c:e}");
            }
        }
    }
}
