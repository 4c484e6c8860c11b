//! Floats: the canonical NaN, minima and maxima.

/// The NaN that binary32 instructions produce.
pub(super) const NAN32: u32 = 0x7FFF_FFFF;
/// The NaN that binary64 instructions produce.
const NAN64: u64 = 0xFFF8_0000_0000_0000;

#[inline(always)]
pub(super) fn f(bits: u32) -> f32 {
    f32::from_bits(bits)
}

#[inline(always)]
pub(super) fn g(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// The bits of a result, with the canonical NaN.
#[inline(always)]
pub(in crate::machine) fn b32(x: f32) -> u32 {
    if x.is_nan() { NAN32 } else { x.to_bits() }
}

#[inline(always)]
pub(in crate::machine) fn b64(x: f64) -> u64 {
    if x.is_nan() { NAN64 } else { x.to_bits() }
}

/// IEEE 754's minimumNumber: of a NaN and a number the number; -0 is less than +0.
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

/// maximumNumber, likewise.
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
    use super::*;

    #[test]
    fn minima_prefer_numbers_and_order_signed_zeros() {
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
