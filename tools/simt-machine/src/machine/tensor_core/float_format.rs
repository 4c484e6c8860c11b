//! The floats that tensor cores multiply, as a significand and an exponent.

use crate::isa::Factor;

/// Bits of the fraction of a [`Float`]'s significand: what the widest factors have.
pub(super) const FRACTION: u32 = 10;

/// The exponent of zero: less than that of any other term, so that it cuts nothing off.
const OF_ZERO: i32 = -1000;

/// A float: `significand / 2^FRACTION * 2^exponent`. A subnormal has the smallest exponent of its
/// format; infinity and NaN count as zero here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Float {
    pub(super) significand: i32,
    pub(super) exponent: i32,
}

/// A binary format: sign, exponent, fraction.
#[derive(Debug, Clone, Copy)]
struct Layout {
    /// Bits of the fraction.
    fraction: u32,
    /// Bits of the exponent.
    exponent: u32,
    bias: i32,
}

impl Layout {
    /// The layout of a format, and the bits of an encoding that it takes.
    #[inline(always)]
    fn of(format: Factor, bits: u32) -> (Layout, u32) {
        let layout = |fraction, exponent, bias| Layout { fraction, exponent, bias };
        match format {
            Factor::F16 => (layout(10, 5, 15), bits),
            Factor::Bf16 => (layout(7, 8, 127), bits),
            Factor::E4m3 => (layout(3, 4, 7), bits),
            Factor::E5m2 => (layout(2, 5, 15), bits),
            // What a binary32 has beyond 10 bits of fraction is ignored.
            _ => (layout(10, 8, 127), bits >> 13),
        }
    }
}

/// Whether an encoding is infinite or a NaN.
#[inline(always)]
pub(super) fn is_special(format: Factor, bits: u32) -> bool {
    let (Layout { fraction, exponent, .. }, bits) = Layout::of(format, bits);
    let all = ((1 << exponent) - 1) << fraction;
    match format {
        Factor::E4m3 => bits & 0x7F == 0x7F,
        _ => bits & all == all,
    }
}

/// The parts of an encoding.
#[inline(always)]
pub(super) fn decode(format: Factor, bits: u32) -> Float {
    let (Layout { fraction, exponent, bias }, bits) = Layout::of(format, bits);
    let field = (bits >> fraction & ((1 << exponent) - 1)) as i32;
    let normal = field != 0;
    let units = (bits & ((1 << fraction) - 1)) | u32::from(normal) << fraction;
    let magnitude = (units << (FRACTION - fraction)) as i32;
    let negative = bits >> (fraction + exponent) & 1 == 1;
    let encoding = bits << if format == Factor::Tf32 { 13 } else { 0 };
    // Without branches, for vector instructions.
    let counts = (magnitude != 0) & !is_special(format, encoding);
    let significand = if negative { -magnitude } else { magnitude };
    Float {
        significand: if counts { significand } else { 0 },
        exponent: if counts { field.max(1) - bias } else { OF_ZERO },
    }
}

/// The value of an encoding: NaN and infinity too.
pub(super) fn value(format: Factor, bits: u32) -> f64 {
    if !is_special(format, bits) {
        let Float { significand, exponent } = decode(format, bits);
        return f64::from(significand) * 2f64.powi(exponent - FRACTION as i32);
    }
    let (Layout { fraction, exponent, .. }, bits) = Layout::of(format, bits);
    if format == Factor::E4m3 || bits & ((1 << fraction) - 1) != 0 {
        f64::NAN
    } else if bits >> (fraction + exponent) & 1 == 1 {
        f64::NEG_INFINITY
    } else {
        f64::INFINITY
    }
}

/// An accumulator: `(magnitude / 2^23 * 2^exponent, negative)`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wide {
    pub(super) magnitude: u32,
    pub(super) exponent: i32,
    pub(super) negative: bool,
}

/// The parts of a binary32 that is no infinity and no NaN.
#[inline(always)]
pub(super) fn binary32(bits: u32) -> Wide {
    let field = (bits >> 23 & 0xFF) as i32;
    let magnitude = (bits & 0x7F_FFFF) | u32::from(field != 0) << 23;
    let exponent = if magnitude == 0 { OF_ZERO } else { field.max(1) - 127 };
    Wide { magnitude, exponent, negative: bits >> 31 == 1 }
}

/// The same of a binary16.
#[inline(always)]
pub(super) fn binary16(bits: u32) -> Wide {
    let Float { significand, exponent } = decode(Factor::F16, bits & 0xFFFF);
    let magnitude = significand.unsigned_abs() << (23 - FRACTION);
    Wide { magnitude, exponent, negative: significand < 0 }
}
