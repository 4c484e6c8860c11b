//! Floats: the one NaN, minima and maxima, and a product and a sum rounded once.

/// The NaN that single-precision instructions make.
pub(super) const NAN32: u32 = 0x7FFF_FFFF;
/// The NaN that double-precision instructions make.
const NAN64: u64 = 0xFFF8_0000_0000_0000;

#[inline(always)]
pub(super) fn f(bits: u32) -> f32 {
    f32::from_bits(bits)
}

#[inline(always)]
pub(super) fn g(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// The bits of a result, with the one NaN.
#[inline(always)]
pub(in crate::machine) fn b32(x: f32) -> u32 {
    if x.is_nan() { NAN32 } else { x.to_bits() }
}

#[inline(always)]
pub(in crate::machine) fn b64(x: f64) -> u64 {
    if x.is_nan() { NAN64 } else { x.to_bits() }
}

/// `a * b + c` in 32 lanes, each rounded once, without an instruction for it.
///
/// The product is exact in binary64, and the sum is rounded there and again to binary32. The two
/// roundings are as good as one unless the first ends up in the middle between two floats, or
/// where floats are denormal and the middle lies elsewhere; then [`fma32_exact`] says which it is.
/// That is rare, and without it there are only operations that vectors have: WebAssembly's, too.
#[inline(always)]
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(super) fn fma_row(a: &[u32; 32], b: &[u32; 32], c: &[u32; 32]) -> [u32; 32] {
    let mut out = [0; 32];
    for first in (0..32).step_by(4) {
        let part = |row: &[u32; 32]| -> [f32; 4] { std::array::from_fn(|l| f(row[first + l])) };
        let (a, b, c) = (part(a), part(b), part(c));
        let sums: [f64; 4] =
            std::array::from_fn(|l| f64::from(a[l]) * f64::from(b[l]) + f64::from(c[l]));
        let doubtful = sums.map(|s| {
            let middle = s.to_bits() & 0x1FFF_FFFF == 0x1000_0000;
            let tiny = s.abs() < f64::from(f32::MIN_POSITIVE) && s != 0.0;
            u32::from(middle | tiny)
        });
        let values: [u32; 4] = if doubtful.iter().fold(0, |all, one| all | one) == 0 {
            std::array::from_fn(|l| b32(sums[l] as f32))
        } else {
            std::array::from_fn(|l| b32(fma32_exact(a[l], b[l], c[l])))
        };
        out[first..first + 4].copy_from_slice(&values);
    }
    out
}

/// `a * b + c` rounded once, without an instruction for it: the product is exact in binary64, and
/// the sum is rounded to odd there, so that the last rounding sees which side it came from.
#[cold]
pub(super) fn fma32_exact(a: f32, b: f32, c: f32) -> f32 {
    let p = f64::from(a) * f64::from(b);
    let c = f64::from(c);
    let s = p + c;
    if !s.is_finite() {
        return s as f32;
    }
    let t = s - p;
    let err = (p - (s - t)) + (c - t);
    let bits = s.to_bits();
    if err == 0.0 || bits & 1 == 1 {
        return s as f32;
    }
    // Toward the side on which the exact sum lies.
    let away = (err > 0.0) == (s > 0.0);
    f64::from_bits(if away { bits + 1 } else { bits - 1 }) as f32
}

/// Minimum of floats: the one that is a number, and -0 before +0.
fn fmin<T: PartialOrd + Copy>(a: T, b: T, negative: impl Fn(T) -> bool) -> T {
    #[expect(clippy::eq_op, reason = "only a NaN differs from itself")]
    if a != a {
        b
    } else if b != b || a < b || (a == b && negative(a)) {
        a
    } else {
        b
    }
}

fn fmax<T: PartialOrd + Copy>(a: T, b: T, negative: impl Fn(T) -> bool) -> T {
    #[expect(clippy::eq_op, reason = "only a NaN differs from itself")]
    if a != a {
        b
    } else if b != b || a > b || (a == b && !negative(a)) {
        a
    } else {
        b
    }
}

pub(in crate::machine) fn min32(a: f32, b: f32) -> f32 {
    fmin(a, b, f32::is_sign_negative)
}

pub(in crate::machine) fn max32(a: f32, b: f32) -> f32 {
    fmax(a, b, f32::is_sign_negative)
}

pub(in crate::machine) fn min64(a: f64, b: f64) -> f64 {
    fmin(a, b, f64::is_sign_negative)
}

pub(in crate::machine) fn max64(a: f64, b: f64) -> f64 {
    fmax(a, b, f64::is_sign_negative)
}

#[cfg(test)]
mod tests {
    use super::super::on;
    use super::*;
    use crate::machine::simd::{FULL, Mask, Registers};
    use crate::random::Lcg64;
    use std::array::from_fn;

    #[test]
    fn the_exact_fallback_rounds_once() {
        let mut random = Lcg64(1);
        let mut next = || {
            let z = random.next();
            // Exponents near each other, so that the sum cancels and ties occur.
            f32::from_bits(((z >> 33) as u32 & 0x87FF_FFFF) | 0x3800_0000)
        };
        for _ in 0..200_000 {
            let (a, b, c) = (next(), next(), next());
            for c in [c, -(a * b), f32::from_bits((a * b).to_bits() ^ 0x8000_0001), 0.0, 1e-40] {
                assert_eq!(
                    fma32_exact(a, b, c).to_bits(),
                    a.mul_add(b, c).to_bits(),
                    "{a:e} * {b:e} + {c:e}"
                );
            }
        }
    }

    /// Any bits, and sums that end in the middle between two floats, but for something small.
    #[test]
    fn rows_round_once() {
        let mut random = Lcg64(1);
        let mut next = || {
            let z = random.next();
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
                    // Results that are denormal or nearly so.
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
            on::fused::<false>(&mut r, &Mask::new(FULL), 3, 0, 1, 2);
            let got = r.row(3);
            for l in 0..32 {
                let [a, b, c] = rows.map(|r| f(r[l]));
                assert_eq!(got[l], b32(a.mul_add(b, c)), "{a:e} * {b:e} + {c:e}");
            }
        }
    }

    #[test]
    fn minima_prefer_numbers_and_know_signed_zeros() {
        let nan = f32::NAN;
        assert_eq!(
            (min32(nan, 1.0), min32(1.0, nan), max32(nan, 1.0), max32(1.0, nan)),
            (1.0, 1.0, 1.0, 1.0)
        );
        assert!(min32(0.0, -0.0).is_sign_negative() && min32(-0.0, 0.0).is_sign_negative());
        assert!(max32(0.0, -0.0).is_sign_positive() && max32(-0.0, 0.0).is_sign_positive());
        assert_eq!(b32(nan + 1.0), NAN32);
    }
}
