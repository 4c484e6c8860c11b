//! Directed rounding (IEEE 754's rounding-direction attributes): down, up, toward zero.
//!
//! The result rounded to nearest is one of the two neighbours of the exact value. On which side the
//! exact value lies is the sign of `a * b + c`, computed without rounding in a fixed-point
//! accumulator of more than four thousand bits, which holds every product of two doubles (Kulisch's
//! exact dot product). If it is the wrong side for the rounding mode, the other neighbour is the
//! result.

use crate::isa::Ty;
use crate::isa::half::{decode, encode};
use std::cmp::Ordering;

/// A rounding mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rounding {
    Down,
    Up,
    Zero,
}

/// The position of the bit of value 1 in an [`Accumulator`].
const ONE: i32 = 2200;

/// A fixed-point number in two's complement that holds every product of two doubles, and sums of a
/// few of them. Little-endian words.
struct Accumulator([u64; 70]);

impl Accumulator {
    fn zero() -> Accumulator {
        Accumulator([0; 70])
    }

    /// Adds `a * b`, both finite.
    fn add(&mut self, a: f64, b: f64) {
        let ((a, p), (b, q)) = (parts(a), parts(b));
        let product = a * b;
        if product == 0 {
            return;
        }
        let at = (p + q + ONE) as usize;
        let (word, shift) = (at / 64, at % 64);
        let magnitude = product.unsigned_abs();
        let low = magnitude << shift;
        let high = if shift == 0 { 0 } else { magnitude >> (128 - shift) };
        let words = [low as u64, (low >> 64) as u64, high as u64];
        let mut carry = false;
        for (i, into) in self.0[word..].iter_mut().enumerate() {
            let by = words.get(i).copied().unwrap_or(0);
            let (first, one, two);
            if product > 0 {
                (first, one) = into.overflowing_add(by);
                (*into, two) = first.overflowing_add(u64::from(carry));
            } else {
                (first, one) = into.overflowing_sub(by);
                (*into, two) = first.overflowing_sub(u64::from(carry));
            }
            carry = one || two;
            if !carry && i >= 2 {
                break;
            }
        }
    }

    fn sign(&self) -> Ordering {
        if self.0[69] >> 63 == 1 {
            Ordering::Less
        } else if self.0.iter().all(|w| *w == 0) {
            Ordering::Equal
        } else {
            Ordering::Greater
        }
    }
}

/// A finite number as an integer times a power of two.
fn parts(x: f64) -> (i128, i32) {
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7FF) as i32;
    let fraction = i128::from(bits & ((1 << 52) - 1));
    let (whole, exponent) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    (if x < 0.0 { -whole } else { whole }, exponent)
}

/// The sign of `a * b + c * d`, all of them finite.
fn sign(a: f64, b: f64, c: f64, d: f64) -> Ordering {
    let mut exact = Accumulator::zero();
    exact.add(a, b);
    exact.add(c, d);
    exact.sign()
}

/// The next number below, in its format.
fn below(r: f64, single: bool) -> f64 {
    if single { f64::from((r as f32).next_down()) } else { r.next_down() }
}

fn above(r: f64, single: bool) -> f64 {
    if single { f64::from((r as f32).next_up()) } else { r.next_up() }
}

/// The result in a rounding mode, given the nearest number and how the exact value compares with it.
fn adjust(mode: Rounding, single: bool, near: f64, exact_side: Ordering) -> f64 {
    match (mode, exact_side) {
        (Rounding::Down, Ordering::Less) => below(near, single),
        (Rounding::Up, Ordering::Greater) => above(near, single),
        (Rounding::Zero, Ordering::Less) if near > 0.0 => below(near, single),
        (Rounding::Zero, Ordering::Greater) if near < 0.0 => above(near, single),
        _ => near,
    }
}

/// Rounded to nearest, ties to even.
fn nearest(x: f64, single: bool) -> f64 {
    if single { f64::from(x as f32) } else { x }
}

/// A double rounded to a float.
pub(super) fn single(mode: Rounding, x: f64) -> f64 {
    let near = nearest(x, true);
    if !x.is_finite() {
        return near;
    }
    adjust(mode, true, near, x.partial_cmp(&near).unwrap_or(Ordering::Equal))
}

/// A double rounded to a 16-bit float, which is returned as a double.
pub(super) fn half(mode: Rounding, ty: Ty, x: f64) -> f64 {
    let bits = encode(ty, x);
    let near = decode(ty, bits);
    if !x.is_finite() {
        return near;
    }
    // Encodings without their sign are ordered like their values, from zero to infinity.
    let magnitude = bits & 0x7FFF;
    let outward = decode(ty, magnitude + 1);
    let inward = decode(ty, magnitude.saturating_sub(1));
    let more = x.abs() > near.abs();
    let less = x.abs() < near.abs();
    let outwards = match mode {
        Rounding::Down => x < 0.0,
        Rounding::Up => x > 0.0,
        Rounding::Zero => false,
    };
    let size = match outwards {
        true if more => outward,
        false if less => inward,
        _ => near.abs(),
    };
    size.copysign(x)
}

/// `a * b + c`.
pub(super) fn fma(mode: Rounding, is_single: bool, a: f64, b: f64, c: f64) -> f64 {
    let near =
        if is_single { f64::from((a as f32).mul_add(b as f32, c as f32)) } else { a.mul_add(b, c) };
    if !(a.is_finite() && b.is_finite() && c.is_finite()) {
        return near;
    }
    if near.is_infinite() {
        let exact_side = if near > 0.0 { Ordering::Less } else { Ordering::Greater };
        return adjust(mode, is_single, near, exact_side);
    }
    let mut exact = Accumulator::zero();
    exact.add(a, b);
    exact.add(c, 1.0);
    if exact.sign() == Ordering::Equal {
        // A sum that cancels is -0 when rounding down, unless both terms are zeros of one sign.
        let product_negative = a.is_sign_negative() != b.is_sign_negative();
        let zeros = (a == 0.0 || b == 0.0) && c == 0.0;
        let alike = zeros && product_negative == c.is_sign_negative();
        return if mode == Rounding::Down && !alike { -0.0 } else { near };
    }
    exact.add(near, -1.0);
    adjust(mode, is_single, near, exact.sign())
}

pub(super) fn add(mode: Rounding, single: bool, a: f64, b: f64) -> f64 {
    fma(mode, single, a, 1.0, b)
}

pub(super) fn mul(mode: Rounding, single: bool, a: f64, b: f64) -> f64 {
    // Adding a zero of the sign of the product changes nothing.
    let negative = a.is_sign_negative() != b.is_sign_negative();
    fma(mode, single, a, b, if negative { -0.0 } else { 0.0 })
}

pub(super) fn div(mode: Rounding, single: bool, a: f64, b: f64) -> f64 {
    let near = if single { f64::from(a as f32 / b as f32) } else { a / b };
    if !a.is_finite() || !b.is_finite() || b == 0.0 {
        return near;
    }
    let exact_side = if near.is_infinite() {
        if near > 0.0 { Ordering::Less } else { Ordering::Greater }
    } else {
        let rest = sign(a, 1.0, -near, b);
        if b < 0.0 { rest.reverse() } else { rest }
    };
    adjust(mode, single, near, exact_side)
}

pub(super) fn sqrt(mode: Rounding, single: bool, a: f64) -> f64 {
    let near = if single { f64::from((a as f32).sqrt()) } else { a.sqrt() };
    if !(a.is_finite() && a > 0.0) {
        return near;
    }
    adjust(mode, single, near, sign(a, 1.0, -near, near))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Lcg64;

    const MODES: [Rounding; 3] = [Rounding::Down, Rounding::Up, Rounding::Zero];

    /// Every direction gives a neighbour on its side, and a true value that is a number itself.
    #[test]
    fn exact_results_stay() {
        for mode in MODES {
            for single in [true, false] {
                assert_eq!(add(mode, single, 1.5, 2.25), 3.75);
                assert_eq!(mul(mode, single, 1.5, -2.5), -3.75);
                assert_eq!(div(mode, single, 7.5, 2.5), 3.0);
                assert_eq!(sqrt(mode, single, 2.25), 1.5);
                assert_eq!(fma(mode, single, 3.0, 4.0, -12.0), 0.0);
            }
        }
        assert!(add(Rounding::Down, false, 1.0, -1.0).is_sign_negative());
        assert!(add(Rounding::Up, false, 1.0, -1.0).is_sign_positive());
        assert!(add(Rounding::Down, false, 0.0, 0.0).is_sign_positive());
        assert!(mul(Rounding::Down, false, 0.0, 5.0).is_sign_positive());
        assert!(mul(Rounding::Up, false, -0.0, 5.0).is_sign_negative());
    }

    #[test]
    fn inexact_results_go_their_way() {
        let third = 1.0f64 / 3.0;
        assert_eq!(div(Rounding::Down, false, 1.0, 3.0), third);
        assert_eq!(div(Rounding::Up, false, 1.0, 3.0), third.next_up());
        assert_eq!(div(Rounding::Zero, false, -1.0, 3.0), -third);
        assert_eq!(add(Rounding::Up, false, 1.0, 1e-300), 1.0f64.next_up());
        assert_eq!(add(Rounding::Down, false, 1.0, -1e-300), 1.0f64.next_down());
        assert_eq!(add(Rounding::Zero, true, -1.0, 1e-30), f64::from((-1.0f32).next_up()));
        assert_eq!(mul(Rounding::Up, false, 5e-324, 5e-324), 5e-324);
        assert_eq!(mul(Rounding::Down, false, 5e-324, 5e-324), 0.0);
        assert_eq!(mul(Rounding::Down, false, -5e-324, 5e-324), -5e-324);
        assert_eq!(mul(Rounding::Zero, false, 1e200, 1e200), f64::MAX);
        assert_eq!(mul(Rounding::Up, false, -1e200, 1e200), -f64::MAX);
        assert_eq!(mul(Rounding::Up, true, 1e30, 1e30), f64::INFINITY);
        assert_eq!(mul(Rounding::Zero, true, 1e30, 1e30), f64::from(f32::MAX));
        assert_eq!(sqrt(Rounding::Up, false, 2.0), 2f64.sqrt());
        assert_eq!(sqrt(Rounding::Down, false, 2.0), 2f64.sqrt().next_down());
        assert_eq!(single(Rounding::Zero, 0.1), f64::from(0.1f32.next_down()));
        assert_eq!(single(Rounding::Up, 1e300), f64::INFINITY);
        assert_eq!(single(Rounding::Down, 1e300), f64::from(f32::MAX));
        // 1 + 2^-60 needs the exact sum.
        let tiny = 2f64.powi(-60);
        assert_eq!(fma(Rounding::Up, false, tiny, 1.0, 1.0), 1.0f64.next_up());
        assert_eq!(fma(Rounding::Zero, false, -tiny, tiny, 1.0), 1.0f64.next_down());
    }

    #[test]
    fn halves_go_their_way() {
        for ty in [Ty::F16, Ty::Bf16] {
            for x in [0.1, -0.1, 1e-30, -1e-30, 3.3e38, -3.3e38, 2049.0, 1.0, -0.0] {
                let [low, high, inner] = MODES.map(|mode| half(mode, ty, x));
                assert!(low <= x && x <= high && inner.abs() <= x.abs(), "{low} {x} {high}");
                assert_eq!(inner, if x > 0.0 { low } else { high });
                assert_eq!(inner.is_sign_negative(), x.is_sign_negative());
            }
        }
        assert_eq!(half(Rounding::Down, Ty::F16, 1e9), 65504.0);
        assert_eq!(half(Rounding::Up, Ty::F16, 1e9), f64::INFINITY);
        assert_eq!(half(Rounding::Up, Ty::F16, 1e-30), decode(Ty::F16, 1));
    }

    /// For random operands, the results rounded down and up enclose the nearest and are neighbours.
    #[test]
    fn the_two_sides_are_neighbours() {
        let mut random = Lcg64(7);
        let mut next = || {
            let z = random.next_u64();
            f64::from_bits((z >> 1 & 0x800F_FFFF_FFFF_FFFF) | (900 + (z >> 40 & 255)) << 52)
        };
        for _ in 0..20_000 {
            let (a, b, c) = (next(), next(), next());
            for single in [false, true] {
                let (a, b, c) = (nearest(a, single), nearest(b, single), nearest(c, single));
                if [a, b, c].iter().any(|x| x.is_infinite()) {
                    continue;
                }
                type Op<'a> = &'a dyn Fn(Rounding) -> f64;
                let ops: [(Op<'_>, f64); 3] = [
                    (&|t| fma(t, single, a, b, c), a.mul_add(b, c)),
                    (&|t| div(t, single, a, b), a / b),
                    (&|t| add(t, single, a, c), a + c),
                ];
                for (op, near) in ops {
                    let (low, high) = (op(Rounding::Down), op(Rounding::Up));
                    let near = nearest(near, single);
                    assert!(low <= near && near <= high, "{a:e} {b:e} {c:e}");
                    assert!(high == low || high == above(low, single), "{low:e} {high:e}");
                    let inner = if low.abs() < high.abs() { low } else { high };
                    assert_eq!(op(Rounding::Zero), inner);
                }
            }
        }
    }
}
