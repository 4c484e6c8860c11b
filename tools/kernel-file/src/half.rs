//! Floats of 16 bits, as CUDA's `__half` and `__nv_bfloat16` have them: one sign bit, then an
//! exponent and a significand that differ in width.
//!
//! A number is rounded once, to the nearest and at a tie to the even one, straight from binary64:
//! by way of binary32 it would be rounded twice, and sometimes to the wrong neighbour.

/// A format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Half {
    /// Bits of the significand that are stored.
    significand: i32,
    /// The exponent of the smallest normal number.
    least: i32,
}

/// `__half`: IEEE's binary16.
pub(crate) const BINARY16: Half = Half { significand: 10, least: -14 };

/// `__nv_bfloat16`: the upper half of binary32.
pub(crate) const BFLOAT16: Half = Half { significand: 7, least: -126 };

const SIGN: u16 = 0x8000;

impl Half {
    /// Infinity: all bits of the exponent.
    fn infinity(self) -> u16 {
        (SIGN - 1) >> self.significand << self.significand
    }

    /// The nearest number's bits.
    pub(crate) fn round(self, value: f64) -> u16 {
        let sign = if value.is_sign_negative() { SIGN } else { 0 };
        if value.is_nan() {
            return SIGN - 1;
        }
        if value.is_infinite() {
            return sign | self.infinity();
        }
        // Numbers of one exponent stand evenly: their distance is a power of two, and dividing by
        // it is exact. A step past the last of them is the first of the next exponent, and past
        // the last of all is infinity.
        let exponent = exponent(value).max(self.least);
        let steps = (value.abs() / power(exponent - self.significand)).round_ties_even();
        let first = i64::from(exponent - self.least) << self.significand;
        let bits = (first + steps as i64).min(self.infinity().into());
        sign | bits as u16
    }

    /// The number that the bits stand for.
    pub(crate) fn value(self, bits: u16) -> f64 {
        let magnitude = bits & !SIGN;
        let sign = if bits & SIGN == 0 { 1.0 } else { -1.0 };
        if magnitude > self.infinity() {
            return f64::NAN;
        }
        if magnitude == self.infinity() {
            return sign * f64::INFINITY;
        }
        let field = i32::from(magnitude >> self.significand);
        let rest = i32::from(magnitude) & ((1 << self.significand) - 1);
        let hidden = if field == 0 { 0 } else { 1 << self.significand };
        let exponent = field.max(1) - 1 + self.least - self.significand;
        sign * f64::from(rest + hidden) * power(exponent)
    }
}

/// The exponent of a finite number in binary64.
fn exponent(value: f64) -> i32 {
    ((value.to_bits() >> 52 & 0x7FF) as i32) - 1023
}

/// 2 to this power, for exponents that binary64 has.
fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_bits() {
        let pairs = [
            (0.0, 0x0000, 0x0000),
            (-0.0, 0x8000, 0x8000),
            (1.0, 0x3C00, 0x3F80),
            (-2.0, 0xC000, 0xC000),
            (0.1, 0x2E66, 0x3DCD),
            (65504.0, 0x7BFF, 0x4780),
            (65519.0, 0x7BFF, 0x4780),
            (65520.0, 0x7C00, 0x4780),
            (f64::INFINITY, 0x7C00, 0x7F80),
            (f64::NEG_INFINITY, 0xFC00, 0xFF80),
            (f64::NAN, 0x7FFF, 0x7FFF),
            (1e300, 0x7C00, 0x7F80),
            (1e-300, 0x0000, 0x0000),
            // Half of the least subnormal is a tie, and zero is even; a little more is not.
            (2f64.powi(-25), 0x0000, 0x3300),
            (2f64.powi(-25) * 1.001, 0x0001, 0x3300),
            (2f64.powi(-14), 0x0400, 0x3880),
            // Rounded twice, this would be a tie by binary32 and go to 1.
            (1.0 + 2f64.powi(-11) + 2f64.powi(-40), 0x3C01, 0x3F80),
        ];
        for (value, binary16, bfloat16) in pairs {
            assert_eq!(BINARY16.round(value), binary16, "{value} as binary16");
            assert_eq!(BFLOAT16.round(value), bfloat16, "{value} as bfloat16");
        }
    }

    #[test]
    fn every_number_comes_back() {
        for bits in 0..=u16::MAX {
            for format in [BINARY16, BFLOAT16] {
                let value = format.value(bits);
                let back = format.round(value);
                assert!(back == bits || value.is_nan(), "{bits:#06x} {value} {back:#06x}");
            }
            let wide = f32::from_bits(u32::from(bits) << 16);
            assert!(BFLOAT16.value(bits) == f64::from(wide) || wide.is_nan());
        }
    }
}
