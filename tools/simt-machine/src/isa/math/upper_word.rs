//! Approximations of doubles from their upper words: `rcp.approx.ftz.f64` and `rsqrt.approx.ftz.f64`.
//!
//! The special function unit has no others for doubles. It reads the upper 32 bits of the operand, whose
//! fraction has 20 bits, and makes the upper 32 bits of a result whose lower ones are zero. The value is a
//! quadratic polynomial in one of 128 intervals (Oberman and Siu, "A high-performance area-efficient
//! multifunction interpolator", 2005); how its terms are cut off and rounded is what envytools found for
//! NVIDIA's first unified GPUs. With that, one set of coefficients alone gives the results that an H100 has
//! for all fractions. Each is near Taylor's coefficient, so the tables hold the differences. The tests
//! compare all fractions with what was recorded.

use libm::{floor, sqrt};

/// Bits of the place in an interval.
const PLACE: u32 = 17;

/// The differences of the coefficients of an interval, in bits 8 and up (plus 4), 4 and up, and 0 and up
/// (plus 14), constant one first.
type Table = [u16; 128];

/// For 1 / x; the intervals divide 1 to 2.
const RECIPROCAL: Table = [
    0x223, 0x423, 0x533, 0x424, 0x234, 0x434, 0x525, 0x325, 0x326, 0x426, 0x526, 0x326, 0x426,
    0x526, 0x426, 0x427, 0x426, 0x426, 0x426, 0x327, 0x328, 0x427, 0x319, 0x419, 0x428, 0x519,
    0x419, 0x41a, 0x51a, 0x429, 0x51a, 0x429, 0x429, 0x41a, 0x31a, 0x429, 0x41a, 0x51a, 0x51a,
    0x51a, 0x41b, 0x41b, 0x41a, 0x51b, 0x41a, 0x41c, 0x42a, 0x41b, 0x51b, 0x42a, 0x32b, 0x51b,
    0x51c, 0x42a, 0x41b, 0x31c, 0x41b, 0x61c, 0x41c, 0x31c, 0x41b, 0x51c, 0x51b, 0x41b, 0x41d,
    0x51d, 0x51b, 0x41c, 0x51c, 0x41d, 0x41c, 0x51d, 0x51c, 0x51d, 0x41c, 0x41e, 0x51d, 0x51d,
    0x51c, 0x41c, 0x41d, 0x51c, 0x50e, 0x51c, 0x41c, 0x40e, 0x41d, 0x41c, 0x51d, 0x51c, 0x41c,
    0x50e, 0x41c, 0x41d, 0x40e, 0x40e, 0x41c, 0x41c, 0x51c, 0x41d, 0x51d, 0x41e, 0x41d, 0x41d,
    0x41e, 0x31e, 0x41d, 0x41e, 0x51c, 0x51d, 0x40e, 0x51c, 0x41d, 0x40e, 0x41d, 0x50e, 0x51e,
    0x41d, 0x51d, 0x30f, 0x41e, 0x51d, 0x50e, 0x51e, 0x41d, 0x50e, 0x31e, 0x30f,
];

/// For 1 / sqrt(x); half of the intervals divide 1 to 2, half of them 2 to 4.
const INVERSE_ROOT: Table = [
    0x150, 0x061, 0x251, 0x252, 0x353, 0x353, 0x254, 0x254, 0x444, 0x345, 0x146, 0x246, 0x147,
    0x437, 0x337, 0x437, 0x238, 0x438, 0x238, 0x339, 0x438, 0x339, 0x22a, 0x22a, 0x22a, 0x52a,
    0x42a, 0x52a, 0x52a, 0x42b, 0x22b, 0x32b, 0x42b, 0x52b, 0x31c, 0x42b, 0x42b, 0x42b, 0x52b,
    0x32c, 0x42b, 0x22c, 0x32c, 0x32c, 0x42c, 0x31d, 0x61c, 0x52c, 0x61c, 0x41c, 0x42c, 0x41d,
    0x51d, 0x41d, 0x41d, 0x31e, 0x41d, 0x51c, 0x61c, 0x61d, 0x51d, 0x21d, 0x41d, 0x41d, 0x144,
    0x145, 0x445, 0x345, 0x237, 0x147, 0x437, 0x238, 0x438, 0x338, 0x438, 0x338, 0x429, 0x438,
    0x239, 0x52a, 0x32a, 0x32a, 0x62a, 0x52a, 0x32a, 0x42a, 0x42b, 0x52a, 0x42b, 0x22b, 0x21c,
    0x52b, 0x31c, 0x52b, 0x42c, 0x62b, 0x31c, 0x31c, 0x51c, 0x41c, 0x41d, 0x42c, 0x42c, 0x61c,
    0x41c, 0x52c, 0x41d, 0x51c, 0x41d, 0x41d, 0x61c, 0x31d, 0x31d, 0x41d, 0x61c, 0x61d, 0x41e,
    0x61d, 0x31e, 0x41d, 0x31e, 0x31e, 0x51d, 0x51d, 0x51e, 0x41e, 0x31e, 0x60e,
];

/// 1 / x.
pub(super) fn reciprocal(x: f64) -> f64 {
    let (sign, exponent, fraction) = parts(x);
    match exponent {
        0 => return f64::INFINITY.copysign(x),
        0x7FF if fraction == 0 => return 0f64.copysign(x),
        0x7FF => return f64::NAN,
        _ => {}
    }
    let start = 1.0 + f64::from(fraction >> 13) / 128.0;
    let at = (fraction >> 13, (fraction & 0x1FFF) << (PLACE - 13));
    let square = start * start;
    let taylor = [1.0 / start, -1.0 / square, 1.0 / (square * start)];
    let made = polynomial(&RECIPROCAL, at, taylor, (1, 0x8FCE));
    // The result is 1/2 to 1. A subnormal one is zero.
    let exponent = 2045 - exponent as i32 + (made >> 20) as i32 - 1;
    let word = if exponent < 1 { 0 } else { (exponent as u32) << 20 | made & 0xF_FFFF };
    double(sign | word)
}

/// 1 / sqrt(x).
pub(super) fn inverse_root(x: f64) -> f64 {
    let (sign, exponent, fraction) = parts(x);
    match exponent {
        0 => return f64::INFINITY.copysign(x),
        0x7FF if fraction == 0 && sign == 0 => return 0.0,
        _ if exponent == 0x7FF || sign != 0 => return f64::NAN,
        _ => {}
    }
    // An even exponent, and a number from 1 to 4.
    let (odd, half) = (!exponent & 1, (exponent as i32 - 1023) >> 1);
    let (interval, place) = (odd << 6 | fraction >> 14, (fraction & 0x3FFF) << (PLACE - 14));
    let scale = f64::from(1 + odd);
    let start = scale * (1.0 + f64::from(fraction >> 14) / 64.0);
    let r = 1.0 / sqrt(start);
    let taylor = [r, -scale * r / start, scale * scale * 0.75 * r / (start * start)];
    let made = match (interval, place) {
        (0, 0) => 1 << 21,
        at => polynomial(&INVERSE_ROOT, at, taylor, (2, 0x7FFF)),
    };
    double(((1022 - half + (made >> 20) as i32 - 1) as u32) << 20 | made & 0xF_FFFF)
}

/// Sign, exponent and upper fraction.
fn parts(x: f64) -> (u32, u32, u32) {
    let word = (x.to_bits() >> 32) as u32;
    (word & 1 << 31, word >> 20 & 0x7FF, word & 0xF_FFFF)
}

fn double(upper_word: u32) -> f64 {
    f64::from_bits(u64::from(upper_word) << 32)
}

/// The value at a place of an interval, with 20 bits behind its first one. The coefficients have 26, 16
/// and 10 bits; the units of the two functions differ in the quadratic one, and so does what is added
/// before the lower bits are cut off.
fn polynomial(
    table: &Table,
    (interval, place): (u32, u32),
    taylor: [f64; 3],
    (shift, rounding): (u32, i64),
) -> u32 {
    let more = i64::from(table[interval as usize % table.len()]);
    let [constant, linear, quadratic] = [(0, 26), (1, 16), (2, 10)]
        .map(|(at, bits)| floor(taylor[at] * f64::from(1 << bits)) as i64);
    let constant = (constant + (more >> 8) - 4) << 14;
    let linear = (linear + (more >> 4 & 15)) * i64::from(place);
    let quadratic = ((quadratic + (more & 15) - 14) * i64::from(square(place))) << shift;
    ((constant + linear + quadratic + rounding) >> 19) as u32
}

/// The upper bits of the square of a place, as the hardware has them: each partial product is cut off.
fn square(place: u32) -> u32 {
    let products = (0..PLACE).filter(|bit| place >> bit & 1 == 1);
    products.map(|bit| place >> (PLACE + 1 - bit)).sum::<u32>() >> 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hash of the upper words of results.
    fn hash(words: impl Iterator<Item = u64>) -> u64 {
        words.fold(0xcbf2_9ce4_8422_2325, |hash, word| {
            (hash ^ word >> 32).wrapping_mul(0x100_0000_01b3)
        })
    }

    /// From an H100: `rcp.approx.ftz.f64` of all upper words from 1 to 2, and `rsqrt.approx.ftz.f64` of
    /// those from 1 to 4. The results of every other exponent were these, scaled.
    #[test]
    fn all_fractions_are_those_of_an_h100() {
        let of = |count: u64, f: fn(f64) -> f64| {
            hash((0..count).map(|at| f(f64::from_bits((0x3FF0_0000 + at) << 32)).to_bits()))
        };
        assert_eq!(of(1 << 20, reciprocal), 0x01ea_cab1_4f00_177e);
        assert_eq!(of(2 << 20, inverse_root), 0x9b87_c583_fc08_583b);
    }

    #[test]
    fn exponents_scale_exactly() {
        for power in -1021..=1023 {
            let scale = f64::from_bits(((power + 1023) as u64) << 52);
            for x in [1.0, 1.25, 1.999, 3.0, 3.5] {
                let wanted = reciprocal(x) / scale;
                let wanted = if wanted.abs() < f64::MIN_POSITIVE { 0.0 } else { wanted };
                if (x * scale).is_finite() {
                    assert_eq!(reciprocal(-x * scale), -wanted, "{x} * 2^{power}");
                }
                if power % 2 == 0 && (x * scale).is_finite() {
                    let wanted = inverse_root(x) / sqrt(scale);
                    assert_eq!(inverse_root(x * scale), wanted, "{x} * 2^{power}");
                }
            }
        }
    }
}
