//! 16-bit floats as the tensor cores take them: their bits, and the way from and to `f32`.
//!
//! There are crates with arithmetic for them. Here they are only moved, so bits suffice; an array of
//! another crate's type becomes one of these by `transmute` of its view.

use cudarc::driver::{DeviceRepr, ValidAsZeroBits};

mod sealed {
    pub trait Sealed {}
}

/// [`Bf16`] or [`F16`].
pub trait Half: DeviceRepr + Copy + sealed::Sealed {
    /// Its name in PTX.
    #[doc(hidden)]
    const NAME: &'static str;
    /// The nearest, ties to even; beyond the largest, infinity.
    fn from_f32(value: f32) -> Self;
    /// The same number.
    fn to_f32(self) -> f32;
}

/// bfloat16: the upper half of an `f32`, with its 8 bits of exponent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Bf16(
    /// Its bits.
    pub u16,
);

/// IEEE binary16: 5 bits of exponent, 10 of fraction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct F16(
    /// Its bits.
    pub u16,
);

// SAFETY: 16 bits each, of which every pattern is a number.
unsafe impl DeviceRepr for Bf16 {}
// SAFETY: likewise.
unsafe impl DeviceRepr for F16 {}
// SAFETY: zero bits are zero.
unsafe impl ValidAsZeroBits for Bf16 {}
// SAFETY: likewise.
unsafe impl ValidAsZeroBits for F16 {}

impl sealed::Sealed for Bf16 {}
impl sealed::Sealed for F16 {}

impl Half for Bf16 {
    const NAME: &'static str = "bf16";

    fn from_f32(value: f32) -> Bf16 {
        let bits = value.to_bits();
        if value.is_nan() {
            return Bf16((bits >> 16) as u16 | 0x40);
        }
        // Just below a half is added, and a little more where the last bit that stays is odd.
        Bf16(((bits + 0x7fff + (bits >> 16 & 1)) >> 16) as u16)
    }

    fn to_f32(self) -> f32 {
        f32::from_bits(u32::from(self.0) << 16)
    }
}

impl Half for F16 {
    const NAME: &'static str = "f16";

    fn from_f32(value: f32) -> F16 {
        let sign = (value.to_bits() >> 16) as u16 & 0x8000;
        let size = value.abs();
        if size.is_nan() {
            return F16(sign | 0x7e00);
        }
        if size >= 65_520.0 {
            return F16(sign | 0x7c00);
        }
        // Beside this number a unit is the last place of the result, and f32 rounds the sum as is
        // asked for.
        let exponent = (size.to_bits() >> 23).max(127 - 14);
        let beside = f32::from_bits((exponent + 13) << 23);
        let units = (size + beside).to_bits() - beside.to_bits();
        F16(sign | (((exponent - 113) << 10) + units) as u16)
    }

    fn to_f32(self) -> f32 {
        let (exponent, fraction) = (u32::from(self.0) >> 10 & 31, u32::from(self.0) & 0x3ff);
        let size = match exponent {
            0 => fraction as f32 / 16_777_216.0,
            31 => f32::from_bits(0x7f80_0000 | fraction << 13),
            _ => f32::from_bits((exponent + 112) << 23 | fraction << 13),
        };
        if self.0 & 0x8000 == 0 { size } else { -size }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number comes back, and what lies between two goes to the nearer, or to the even one.
    fn rounds<T: Half + PartialEq + std::fmt::Debug>(of: fn(u16) -> T, infinity: u16) {
        for bits in 0..infinity - 1 {
            let (low, high) = (of(bits), of(bits + 1));
            assert_eq!(T::from_f32(low.to_f32()), low);
            assert_eq!(T::from_f32(-low.to_f32()), of(bits | 0x8000));
            let middle = (f64::from(low.to_f32()) + f64::from(high.to_f32())) / 2.0;
            let middle = middle as f32;
            let even = if bits % 2 == 0 { low } else { high };
            assert_eq!(T::from_f32(middle), even, "between {bits:#x} and the next");
            assert_eq!(T::from_f32(middle.next_up()), high);
            assert_eq!(T::from_f32(middle.next_down()), low);
        }
        assert_eq!(T::from_f32(f32::INFINITY), of(infinity));
        assert_eq!(T::from_f32(f32::NEG_INFINITY), of(infinity | 0x8000));
        assert!(T::from_f32(f32::NAN).to_f32().is_nan());
        assert_eq!(T::from_f32(f32::MAX), of(infinity));
    }

    #[test]
    fn numbers_are_rounded_to_the_nearest() {
        rounds(Bf16, 0x7f80);
        rounds(F16, 0x7c00);
        assert_eq!(F16::from_f32(1.0), F16(0x3c00));
        assert_eq!(Bf16::from_f32(1.0), Bf16(0x3f80));
        assert_eq!(F16(0xfc00).to_f32(), f32::NEG_INFINITY);
    }
}
