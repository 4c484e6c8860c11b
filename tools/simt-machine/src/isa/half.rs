//! 16-bit floats: IEEE 754's binary16 (`__half`) and bfloat16 (`__nv_bfloat16`).
//!
//! An operation is computed in binary64, where products of 16-bit floats are exact and sums nearly
//! so, and rounded once to 16 bits, to nearest and ties to even. Where binary64 is not exact it is
//! rounded to odd first, so that the second rounding sees on which side the exact value lies
//! (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
//!
//! The crate `half` is not used here. Version 2.7 truncates a binary64 to its upper 32 bits before
//! it rounds, so that 1 + 2^-11 + 2^-40 becomes 1 instead of the next binary16.

use super::Ty;

/// The canonical NaN: what 16-bit instructions of the device produce, in both formats.
const NAN16: u16 = 0x7FFF;

/// Bits of the fraction, and the exponent bias.
fn format(ty: Ty) -> (u32, i32) {
    if matches!(ty, Ty::Bf16 | Ty::Bf16x2) { (7, 127) } else { (10, 15) }
}

/// 2 to the power `e`, which is an exponent of binary64's normal numbers.
fn power(e: i32) -> f64 {
    f64::from_bits(((e + 1023) as u64) << 52)
}

/// The value of an encoding.
pub fn decode(ty: Ty, bits: u16) -> f64 {
    let (fraction, bias) = format(ty);
    let exponent = i32::from(bits & 0x7FFF) >> fraction;
    let low = f64::from(bits & ((1 << fraction) - 1));
    let hidden_bit = f64::from(1u16 << fraction);
    let magnitude = if exponent == 2 * bias + 1 {
        if low == 0.0 { f64::INFINITY } else { f64::NAN }
    } else if exponent == 0 {
        low * power(1 - bias - fraction as i32)
    } else {
        (hidden_bit + low) * power(exponent - bias - fraction as i32)
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

/// The encoding of the nearest value, ties to even.
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
    // In units in the last place; at least 2^fraction if the number is normal.
    let units = (magnitude * power(fraction as i32 - e)).round_ties_even() as u32;
    let bits = (((e + bias - 1) as u32) << fraction) + units;
    sign | bits.min(u32::from(infinity)) as u16
}

/// `a * b + c` in binary64, rounded to odd. `a * b` must be exact, as it is for floats of 16 and 32
/// bits.
pub(crate) fn fma_odd(a: f64, b: f64, c: f64) -> f64 {
    let p = a * b;
    let s = p + c;
    if !s.is_finite() {
        return s;
    }
    // The exact error of the sum (Knuth's TwoSum).
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
        let pairs = [
            (0.0, 0x0000, 0x0000),
            (-0.0, 0x8000, 0x8000),
            (1.0, 0x3C00, 0x3F80),
            (-2.0, 0xC000, 0xC000),
            (0.1, 0x2E66, 0x3DCD),
            (65504.0, 0x7BFF, 0x4780),
            (65519.0, 0x7BFF, 0x4780),
            (65519.99, 0x7BFF, 0x4780),
            (65520.0, 0x7C00, 0x4780),
            (f64::INFINITY, 0x7C00, 0x7F80),
            (f64::NEG_INFINITY, 0xFC00, 0xFF80),
            (f64::NAN, 0x7FFF, 0x7FFF),
            (1e300, 0x7C00, 0x7F80),
            (-1e300, 0xFC00, 0xFF80),
            (1e-300, 0x0000, 0x0000),
            // Half of the smallest subnormal is a tie, and zero is even; a little more is not.
            (power(-25), 0x0000, 0x3300),
            (power(-25) * 1.001, 0x0001, 0x3300),
            (power(-14), 0x0400, 0x3880),
            // Rounded to binary32 first, this would become a tie and then 1.
            (1.0 + power(-11) + power(-40), 0x3C01, 0x3F80),
        ];
        for (value, binary16, bfloat16) in pairs {
            assert_eq!(encode(Ty::F16, value), binary16, "{value} as binary16");
            assert_eq!(encode(Ty::Bf16, value), bfloat16, "{value} as bfloat16");
        }
        assert_eq!(decode(Ty::F16, 0x7BFF), 65504.0);
        assert_eq!(decode(Ty::F16, 0x0001), power(-24));
        assert_eq!(decode(Ty::Bf16, 0xC049), -3.140625);
    }

    /// A bfloat16 is the upper half of a binary32.
    #[test]
    fn bfloat16_is_the_upper_half_of_binary32() {
        for bits in 0..=u16::MAX {
            let wide = f32::from_bits(u32::from(bits) << 16);
            assert!(decode(Ty::Bf16, bits) == f64::from(wide) || wide.is_nan());
        }
    }

    /// Halfway between two neighbours goes to the even one; the next binary64 goes to its side.
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

    /// 257 * 1 lies halfway between 256 and 258; the smallest addend breaks the tie.
    #[test]
    fn a_tiny_addend_breaks_the_tie() {
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
