//! Floats: NaNs, minima and maxima.
//!
//! Instructions of binary32 and 16 bits produce one NaN, the canonical one. Those of binary64 keep what
//! an operand holds, as an H100 does: which operand's, was measured there.

/// The NaN that binary32 instructions produce.
pub(super) const NAN32: u32 = 0x7FFF_FFFF;
/// The NaN that binary64 instructions produce of operands that are none.
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

/// The bit of a binary64 NaN that says that it is quiet.
pub(super) const QUIET64: u64 = 1 << 51;

/// The bits of a result. A NaN is that of the last of these operands that is one, made quiet.
#[inline(always)]
pub(in crate::machine) fn b64<const N: usize>(x: f64, operands: [u64; N]) -> u64 {
    if !x.is_nan() {
        return x.to_bits();
    }
    let mut nan = NAN64;
    for operand in operands {
        if g(operand).is_nan() {
            nan = operand | QUIET64;
        }
    }
    nan
}

/// `x * y + z`, rounded once.
#[inline(always)]
pub(in crate::machine) fn mul_add64(x: u64, y: u64, z: u64) -> u64 {
    b64(g(x).mul_add(g(y), g(z)), [x, z, y])
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

    #[test]
    fn binary64_keeps_what_a_nan_holds() {
        let (signalling, quiet) = (0x7FF0_0000_0000_5678, 0xFFF8_0000_DEAD_BEEF);
        let (one, infinity) = (1f64.to_bits(), f64::INFINITY.to_bits());
        assert_eq!(b64(f64::NAN, [signalling, one]), signalling | QUIET64);
        assert_eq!(b64(f64::NAN, [signalling, quiet]), quiet);
        assert_eq!(b64(f64::NAN, [infinity, infinity]), NAN64);
        // Of a product and a sum: the second factor's, then the addend's, then the first factor's.
        assert_eq!(mul_add64(quiet, one, signalling), signalling | QUIET64);
        assert_eq!(mul_add64(quiet, signalling, quiet), signalling | QUIET64);
        assert_eq!(mul_add64(infinity, 0, quiet), quiet);
        assert_eq!(mul_add64(infinity, 0, one), NAN64);
    }
}
