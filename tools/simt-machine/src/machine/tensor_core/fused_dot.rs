//! Fused dot products with truncated alignment.
//!
//! For each element of a product, with `F` bits of fraction kept:
//!
//! 1. The products of the factors are exact. A product's exponent is the sum of its factors'
//!    exponents; its significand is below 4, and is not normalised. A term that is
//!    0 does not count.
//! 2. The largest exponent `e` among the products and the accumulator is found; it is at least -133.
//! 3. Each term is cut off toward zero to a multiple of `2^(e - F)`.
//! 4. The terms are added exactly.
//! 5. The sum is rounded: to binary32 toward zero, to binary16 to nearest, ties to even. A sum that
//!    becomes 0 is +0. Beyond the largest number it is infinite.
//!
//! `F` is 25. For 8-bit floats in `wgmma` it is 13, and a binary32 result has 13 bits of fraction.
//! Where a factor or the accumulator is infinite or a NaN, the result is that of IEEE 754's sum;
//! a NaN is `0x7FFFFFFF` or, in binary16, `0x7FFF`.
//!
//! All of it is integer arithmetic on lanes of 32 bits, so that the compiler makes vector
//! instructions of the loops over columns.

use super::Product;
use super::float_format::{self, FRACTION};
use crate::isa::{Accumulator, Factor};
use std::ops::Range;

/// Columns that are computed together.
const LANES: usize = 8;

/// Terms whose sum fits into 32 bits: each is below 2^27.
const TERMS: usize = 8;

/// The least exponent to which terms are aligned.
const LEAST: i32 = -133;

/// How terms are cut off and sums rounded.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rounding {
    /// Bits of the fraction that aligned terms keep.
    kept: i32,
    /// Bits of the fraction of a binary32 result.
    result: i32,
    sum: Accumulator,
}

impl Rounding {
    /// For these sums; `narrow`: of 8-bit floats in `wgmma`.
    pub(super) fn new(sum: Accumulator, narrow: bool) -> Rounding {
        let (kept, result) = if narrow { (13, 13) } else { (25, 23) };
        Rounding { kept, result, sum }
    }
}

/// The left factor: rows of significands, and of exponents.
#[derive(Debug, Default)]
pub(super) struct Rows {
    significands: Vec<i32>,
    exponents: Vec<i32>,
    /// The values, if one of them is infinite or a NaN; else empty.
    values: Vec<f64>,
    k: usize,
}

/// The right factor, with `n` columns.
#[derive(Debug, Default)]
pub(super) struct Columns {
    significands: Vec<i32>,
    exponents: Vec<i32>,
    values: Vec<f64>,
    n: usize,
}

impl Rows {
    /// The columns `along` of `m` rows of encodings.
    #[inline(always)]
    pub(super) fn decode(&mut self, product: &Product, a: &[u32], along: Range<usize>) {
        self.k = along.len();
        let rows = a.chunks_exact(product.k).take(product.m).map(|row| &row[along.clone()]);
        let parts = (&mut self.significands, &mut self.exponents, &mut self.values);
        decode(product.a, rows, parts);
    }
}

impl Columns {
    /// The rows `along` of encodings.
    #[inline(always)]
    pub(super) fn decode(&mut self, product: &Product, b: &[u32], along: Range<usize>) {
        self.n = product.n;
        let all = &b[along.start * self.n..along.end * self.n];
        let parts = (&mut self.significands, &mut self.exponents, &mut self.values);
        decode(product.b, std::iter::once(all), parts);
    }
}

/// The parts of encodings, and the values if one of them is infinite or a NaN.
type Parts<'p> = (&'p mut Vec<i32>, &'p mut Vec<i32>, &'p mut Vec<f64>);

/// The parts of encodings, piece by piece.
#[inline(always)]
fn decode<'a>(
    format: Factor,
    pieces: impl Iterator<Item = &'a [u32]> + Clone,
    (significands, exponents, values): Parts<'_>,
) {
    significands.clear();
    exponents.clear();
    values.clear();
    let parts = (significands, exponents);
    // The compiler makes vector instructions where it knows the format.
    let special = match format {
        Factor::F16 => decode_pieces(Factor::F16, pieces.clone(), parts),
        Factor::Bf16 => decode_pieces(Factor::Bf16, pieces.clone(), parts),
        _ => decode_pieces(format, pieces.clone(), parts),
    };
    if special {
        values.extend(pieces.flatten().map(|&bits| float_format::value(format, bits)));
    }
}

/// Whether one of the encodings is infinite or a NaN; adds the parts of all.
#[inline(always)]
fn decode_pieces<'a>(
    format: Factor,
    pieces: impl Iterator<Item = &'a [u32]>,
    (significands, exponents): (&mut Vec<i32>, &mut Vec<i32>),
) -> bool {
    let mut special = false;
    for piece in pieces {
        let from = significands.len();
        significands.resize(from + piece.len(), 0);
        exponents.resize(from + piece.len(), 0);
        let parts = significands[from..].iter_mut().zip(&mut exponents[from..]);
        for (bits, (significand, exponent)) in piece.iter().zip(parts) {
            let float = float_format::decode(format, *bits);
            (*significand, *exponent) = (float.significand, float.exponent);
            special |= float_format::is_special(format, *bits);
        }
    }
    special
}

/// `sums += rows columns`.
#[inline(always)]
pub(super) fn add_product(rows: &Rows, columns: &Columns, rounding: Rounding, sums: &mut [u32]) {
    let fixed = if rows.values.is_empty() && columns.values.is_empty() {
        Vec::new()
    } else {
        special_sums(rows, columns, rounding, sums)
    };
    let (k, n) = (rows.k, columns.n);
    let each = rows.significands.chunks_exact(k).zip(rows.exponents.chunks_exact(k));
    for ((significands, exponents), sums) in each.zip(sums.chunks_exact_mut(n)) {
        for (at, sums) in sums.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
            *sums = dots((significands, exponents), columns, at * LANES, rounding, sums);
        }
    }
    for (at, bits) in fixed {
        sums[at] = bits;
    }
}

/// Neighbouring elements of a row of the result.
#[inline(always)]
fn dots(
    (significands, exponents): (&[i32], &[i32]),
    columns: &Columns,
    at: usize,
    rounding: Rounding,
    sums: &[u32; LANES],
) -> [u32; LANES] {
    let row = |all: &[i32], l: usize| -> [i32; LANES] {
        let from = l * columns.n + at;
        all[from..from + LANES].try_into().unwrap_or([0; LANES])
    };
    let accumulators = sums.map(|bits| match rounding.sum {
        Accumulator::F16 => float_format::binary16(bits),
        _ => float_format::binary32(bits),
    });
    let mut largest = accumulators.map(|c| c.exponent.max(LEAST));
    for (l, x) in exponents.iter().enumerate() {
        let y = row(&columns.exponents, l);
        for lane in 0..LANES {
            largest[lane] = largest[lane].max(x + y[lane]);
        }
    }
    // Products have 2 * FRACTION bits of fraction: if that is too few they are shifted first.
    let (left, right) = match rounding.kept - 2 * FRACTION as i32 {
        missing if missing > 0 => (missing, 0),
        extra => (0, -extra),
    };
    let mut totals = [0i64; LANES];
    for (part, x) in significands.chunks(TERMS).enumerate() {
        let mut total = [0i32; LANES];
        for (l, (x, x_exponent)) in x.iter().zip(&exponents[part * TERMS..]).enumerate() {
            let y = row(&columns.significands, part * TERMS + l);
            let y_exponents = row(&columns.exponents, part * TERMS + l);
            for lane in 0..LANES {
                let p = (x << left) * y[lane];
                let shift = largest[lane] + right - (x_exponent + y_exponents[lane]);
                let sign = p >> 31;
                let magnitude = ((p ^ sign) - sign) >> shift.min(31);
                total[lane] += (magnitude ^ sign) - sign;
            }
        }
        for lane in 0..LANES {
            totals[lane] += i64::from(total[lane]);
        }
    }
    let mut out = [0; LANES];
    for lane in 0..LANES {
        let c = accumulators[lane];
        let shift = (23 + largest[lane] - c.exponent).min(63);
        let term = ((u64::from(c.magnitude) << rounding.kept) >> shift) as i64;
        let total = totals[lane] + if c.negative { -term } else { term };
        out[lane] = if is_special(rounding.sum, sums[lane]) {
            special(rounding.sum, value(rounding.sum, sums[lane]))
        } else {
            round(total, largest[lane] - rounding.kept, rounding)
        };
    }
    out
}

/// `total * 2^unit`, rounded.
#[inline(always)]
fn round(total: i64, unit: i32, rounding: Rounding) -> u32 {
    if total == 0 {
        return 0;
    }
    let magnitude = total.unsigned_abs();
    let exponent = 63 - magnitude.leading_zeros() as i32 + unit;
    match rounding.sum {
        Accumulator::F16 => {
            let sign = u32::from(total < 0) << 15;
            if exponent > 15 {
                return sign | 0x7C00;
            }
            let least = exponent.max(-14) - 10;
            let units = nearest(magnitude, least - unit);
            let bits = ((exponent.max(-14) + 14) << 10) as u32 + units;
            if units == 0 { 0 } else { sign | bits.min(0x7C00) }
        }
        _ => {
            let sign = u32::from(total < 0) << 31;
            if exponent > 127 {
                return sign | 0x7F80_0000;
            }
            let least = exponent.max(-126) - rounding.result;
            let units = match least - unit {
                shift @ 0.. => magnitude >> shift.min(63),
                shift => magnitude << -shift,
            };
            let units = (units as u32) << (23 - rounding.result);
            let bits = ((exponent.max(-126) + 126) << 23) as u32 + units;
            if units == 0 { 0 } else { sign | bits }
        }
    }
}

/// `magnitude / 2^shift`, to nearest, ties to even.
fn nearest(magnitude: u64, shift: i32) -> u32 {
    if shift <= 0 {
        return (magnitude << -shift) as u32;
    }
    if shift > 62 {
        return 0;
    }
    let (below, half) = (magnitude & ((1 << shift) - 1), 1u64 << (shift - 1));
    let down = magnitude >> shift;
    (down + u64::from(below > half || below == half && down & 1 == 1)) as u32
}

/// The elements of the result to which a product contributes an infinity or a NaN, with their bits.
#[cold]
#[inline(never)]
fn special_sums(
    rows: &Rows,
    columns: &Columns,
    rounding: Rounding,
    sums: &[u32],
) -> Vec<(usize, u32)> {
    let (k, n) = (rows.k, columns.n);
    let number = |significand: i32, exponent: i32| {
        f64::from(significand) * 2f64.powi(exponent - FRACTION as i32)
    };
    let x = |at: usize| match rows.values.get(at) {
        Some(value) => *value,
        None => number(rows.significands[at], rows.exponents[at]),
    };
    let y = |at: usize| match columns.values.get(at) {
        Some(value) => *value,
        None => number(columns.significands[at], columns.exponents[at]),
    };
    let elements = sums.iter().enumerate();
    let total = |at: usize| (0..k).map(|l| x(at / n * k + l) * y(l * n + at % n)).sum::<f64>();
    elements
        .map(|(at, sum)| (at, total(at), value(rounding.sum, *sum)))
        .filter(|(_, products, _)| !products.is_finite())
        .map(|(at, products, sum)| (at, special(rounding.sum, products + sum)))
        .collect()
}

/// The encoding of an infinity or a NaN.
fn special(format: Accumulator, value: f64) -> u32 {
    let (sign, infinity, nan) = match format {
        Accumulator::F16 => (0x8000, 0x7C00, 0x7FFF),
        _ => (0x8000_0000, 0x7F80_0000, 0x7FFF_FFFF),
    };
    match value {
        _ if value.is_nan() => nan,
        _ if value < 0.0 => sign | infinity,
        _ => infinity,
    }
}

/// Whether an accumulator is infinite or a NaN.
#[inline(always)]
fn is_special(format: Accumulator, bits: u32) -> bool {
    match format {
        Accumulator::F16 => bits & 0x7C00 == 0x7C00,
        _ => bits & 0x7F80_0000 == 0x7F80_0000,
    }
}

/// The value of an accumulator.
fn value(format: Accumulator, bits: u32) -> f64 {
    match format {
        Accumulator::F16 => float_format::value(Factor::F16, bits & 0xFFFF),
        _ => f64::from(f32::from_bits(bits)),
    }
}
