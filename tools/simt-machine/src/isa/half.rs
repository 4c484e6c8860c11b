//! 16-bit floats, alone and in pairs: binary16 and bfloat16.
//!
//! An operation is done in binary64, where sums and products of 16-bit floats are exact or nearly
//! so, and rounded once to 16 bits, to nearest and ties to even. Where binary64 is not exact it is
//! rounded to odd first, so that the second rounding still sees on which side the truth lies.

use super::Ty;

/// The NaN that 16-bit instructions make, in both formats.
const NAN16: u16 = 0x7FFF;

/// Bits of the fraction, and the exponent of 1.
fn format(ty: Ty) -> (u32, i32) {
    if matches!(ty, Ty::Bf16 | Ty::Bf16x2) { (7, 127) } else { (10, 15) }
}

/// Two to a power in binary64's normal range.
fn power(e: i32) -> f64 {
    f64::from_bits(((e + 1023) as u64) << 52)
}

/// The value of 16 bits.
pub fn decode(ty: Ty, bits: u16) -> f64 {
    let (fraction, bias) = format(ty);
    let exponent = i32::from(bits & 0x7FFF) >> fraction;
    let low = f64::from(bits & ((1 << fraction) - 1));
    let whole = f64::from(1u16 << fraction);
    let magnitude = if exponent == 2 * bias + 1 {
        if low == 0.0 { f64::INFINITY } else { f64::NAN }
    } else if exponent == 0 {
        low * power(1 - bias - fraction as i32)
    } else {
        (whole + low) * power(exponent - bias - fraction as i32)
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

/// The nearest 16 bits, ties to even.
pub fn encode(ty: Ty, x: f64) -> u16 {
    let (fraction, bias) = format(ty);
    if x.is_nan() {
        return NAN16;
    }
    let sign = u16::from(x.is_sign_negative()) << 15;
    let infinity = ((2 * bias + 1) as u16) << fraction;
    let magnitude = x.abs();
    if magnitude >= power(bias + 1) {
        return sign | infinity;
    }
    let e = ((magnitude.to_bits() >> 52) as i32 - 1023).max(1 - bias);
    // In units of the last place; 2^fraction and more where the number is normal.
    let units = (magnitude * power(fraction as i32 - e)).round_ties_even() as u32;
    let bits = (((e + bias - 1) as u32) << fraction) + units;
    sign | bits.min(u32::from(infinity)) as u16
}

/// `a * b + c` in binary64, rounded to odd: `a * b` is exact for 16-bit floats.
pub(crate) fn fma_odd(a: f64, b: f64, c: f64) -> f64 {
    let p = a * b;
    let s = p + c;
    if !s.is_finite() {
        return s;
    }
    let t = s - p;
    let err = (p - (s - t)) + (c - t);
    let bits = s.to_bits();
    if err == 0.0 || bits & 1 == 1 {
        return s;
    }
    let away = (err > 0.0) == (s > 0.0);
    f64::from_bits(if away { bits + 1 } else { bits - 1 })
}

/// An integer in binary64, rounded to odd.
pub fn integer(v: i128) -> f64 {
    let near = v as f64;
    let bits = near.to_bits();
    match (near as i128).cmp(&v) {
        _ if bits & 1 == 1 => near,
        std::cmp::Ordering::Equal => near,
        std::cmp::Ordering::Less if v > 0 => f64::from_bits(bits + 1),
        std::cmp::Ordering::Greater if v < 0 => f64::from_bits(bits + 1),
        _ => f64::from_bits(bits - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [Ty; 2] = [Ty::F16, Ty::Bf16];

    #[test]
    fn every_number_comes_back() {
        for ty in BOTH {
            for bits in 0..=u16::MAX {
                let value = decode(ty, bits);
                if value.is_nan() {
                    assert_eq!(encode(ty, value), NAN16);
                } else {
                    assert_eq!(encode(ty, value), bits, "{ty:?} {bits:#x} is {value}");
                }
            }
        }
    }

    #[test]
    fn known_numbers() {
        assert_eq!(decode(Ty::F16, 0x3C00), 1.0);
        assert_eq!(decode(Ty::F16, 0x7BFF), 65504.0);
        assert_eq!(decode(Ty::F16, 0x0001), power(-24));
        assert_eq!(decode(Ty::Bf16, 0x3F80), 1.0);
        assert_eq!(decode(Ty::Bf16, 0xC049), -3.140625);
        assert_eq!(encode(Ty::F16, 65519.99), 0x7BFF);
        assert_eq!(encode(Ty::F16, 65520.0), 0x7C00);
        assert_eq!(encode(Ty::F16, -1e300), 0xFC00);
        assert_eq!(encode(Ty::F16, 1e-300), 0);
    }

    /// Between two neighbours the middle goes to the even one, and what lies beside it to its side.
    #[test]
    fn ties_go_to_even() {
        for ty in BOTH {
            for bits in (0..0x7B00u16).step_by(37) {
                let (low, high) = (decode(ty, bits), decode(ty, bits + 1));
                let middle = (low + high) / 2.0;
                assert_eq!(encode(ty, middle), bits + (bits & 1), "{ty:?} {bits:#x}");
                assert_eq!(encode(ty, f64::from_bits(middle.to_bits() - 1)), bits);
                assert_eq!(encode(ty, f64::from_bits(middle.to_bits() + 1)), bits + 1);
            }
        }
    }

    /// 257 * 1 lies in the middle between 256 and 258; the least addition moves it.
    #[test]
    fn what_is_far_smaller_still_breaks_the_tie() {
        let fma = |a: f64, b: f64, c: f64| encode(Ty::Bf16, fma_odd(a, b, c));
        assert_eq!(fma(257.0, 1.0, 0.0), encode(Ty::Bf16, 256.0));
        assert_eq!(fma(257.0, 1.0, power(-100)), encode(Ty::Bf16, 258.0));
        assert_eq!(fma(257.0, 1.0, -power(-100)), encode(Ty::Bf16, 256.0));
        assert_eq!(fma(-257.0, 1.0, -power(-100)), encode(Ty::Bf16, -258.0));
        assert_eq!(integer((1 << 60) + 1).to_bits() & 1, 1);
        assert_eq!(integer(-(1 << 60) - 1), -integer((1 << 60) + 1));
        assert_eq!(integer(1 << 60), (1u64 << 60) as f64);
    }
}
