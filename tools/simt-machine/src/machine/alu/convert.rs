//! Conversions between types.

use super::float::{QUIET64, b32, f, g};
use super::slow_path::{map1, put, put_pair};
use crate::isa::Ty;
use crate::isa::half::{decode, encode, integer};
use crate::machine::simd::{Mask, Registers};

pub(super) fn convert(r: &mut Registers, m: &Mask, from: Ty, to: Ty, d: u16, a: u16) {
    use Ty::*;
    use std::array::from_fn;
    if from.is_half() || to.is_half() {
        return through_double(r, m, from, to, d, a);
    }
    match (from.slots(), to.slots()) {
        (1, 1) => match (from, to) {
            (I32, F32) => map1(r, m, d, a, |x| (x as i32 as f32).to_bits()),
            (U32, F32) => map1(r, m, d, a, |x| (x as f32).to_bits()),
            (F32, I32) => map1(r, m, d, a, |x| f(x) as i32 as u32),
            (F32, U32) => map1(r, m, d, a, |x| f(x) as u32),
            _ => map1(r, m, d, a, |x| x),
        },
        (1, _) => {
            let x = *r.row(a);
            let out: [u64; 32] = match (from, to) {
                (I32, F64) => from_fn(|l| f64::from(x[l] as i32).to_bits()),
                (U32, F64) => from_fn(|l| f64::from(x[l]).to_bits()),
                (F32, F64) => from_fn(|l| double(x[l])),
                (F32, I64) => from_fn(|l| to_int64(f64::from(f(x[l])), true)),
                (F32, _) => from_fn(|l| to_int64(f64::from(f(x[l])), false)),
                (I32, _) => from_fn(|l| i64::from(x[l] as i32) as u64),
                _ => from_fn(|l| u64::from(x[l])),
            };
            put_pair(r, m, d, &out);
        }
        (_, 1) => {
            let x = *r.pair(a);
            let out: [u32; 32] = match (from, to) {
                (I64, F32) => from_fn(|l| (x[l] as i64 as f32).to_bits()),
                (U64, F32) => from_fn(|l| (x[l] as f32).to_bits()),
                (F64, F32) => from_fn(|l| single(x[l])),
                (F64, I32) => from_fn(|l| nan_to_top_bit(g(x[l]), g(x[l]) as i32 as u32)),
                (F64, U32) => from_fn(|l| nan_to_top_bit(g(x[l]), g(x[l]) as u32)),
                _ => from_fn(|l| x[l] as u32),
            };
            put(r, m, d, &out);
        }
        _ => {
            let x = *r.pair(a);
            let out: [u64; 32] = match (from, to) {
                (I64, F64) => from_fn(|l| (x[l] as i64 as f64).to_bits()),
                (U64, F64) => from_fn(|l| (x[l] as f64).to_bits()),
                (F64, I64) => from_fn(|l| to_int64(g(x[l]), true)),
                (F64, U64) => from_fn(|l| to_int64(g(x[l]), false)),
                _ => x,
            };
            put_pair(r, m, d, &out);
        }
    }
}

/// A binary32 as a binary64. A NaN keeps its sign and what it holds.
fn double(x: u32) -> u64 {
    if f(x).is_nan() { wide_nan(x >> 31, x & 0x7F_FFFF, 23) } else { f64::from(f(x)).to_bits() }
}

/// A binary64 as a binary32, likewise.
fn single(x: u64) -> u32 {
    if g(x).is_nan() { narrow_nan(x, 8, 23) as u32 } else { (g(x) as f32).to_bits() }
}

/// The quiet NaN of binary64 with this sign and this fraction of so many bits.
fn wide_nan(sign: u32, fraction: u32, bits: u32) -> u64 {
    u64::from(sign) << 63 | 0x7FF << 52 | QUIET64 | u64::from(fraction) << (52 - bits)
}

/// A NaN of binary64 in a format of so many bits of exponent and fraction: the upper bits are kept.
fn narrow_nan(x: u64, exponent: u32, fraction: u32) -> u64 {
    let kept = (x | QUIET64) & ((1 << 52) - 1);
    (x >> 63) << (exponent + fraction) | ((1 << exponent) - 1) << fraction | kept >> (52 - fraction)
}

/// To a 64-bit integer: a NaN becomes the uppermost bit alone, as in PTX.
fn to_int64(x: f64, signed: bool) -> u64 {
    if x.is_nan() {
        1 << 63
    } else if signed {
        x as i64 as u64
    } else {
        x as u64
    }
}

/// From binary64 to a 32-bit integer, likewise.
fn nan_to_top_bit(x: f64, value: u32) -> u32 {
    if x.is_nan() { 1 << 31 } else { value }
}

/// Bits of the exponent and the fraction of a 16-bit float.
fn format(ty: Ty) -> (u32, u32) {
    if ty == Ty::Bf16 { (8, 7) } else { (5, 10) }
}

/// A NaN to or from a 16-bit float, where it keeps what it holds: between them and binary64, and from
/// bfloat16 to binary32, which appends zeros.
fn kept_nan(from: Ty, to: Ty, bits: u64) -> Option<u64> {
    match (from, to) {
        (Ty::F64, Ty::F16 | Ty::Bf16) if g(bits).is_nan() => {
            let (exponent, fraction) = format(to);
            Some(narrow_nan(bits, exponent, fraction))
        }
        (Ty::F16 | Ty::Bf16, Ty::F64) if decode(from, bits as u16).is_nan() => {
            let (_, fraction) = format(from);
            let word = bits as u32 & 0xFFFF;
            Some(wide_nan(word >> 15, word & ((1 << fraction) - 1), fraction))
        }
        (Ty::Bf16, Ty::F32) => Some((bits & 0xFFFF) << 16),
        _ => None,
    }
}

/// To and from 16-bit floats, by way of binary64: the other types are exact there, or rounded to odd.
fn through_double(r: &mut Registers, m: &Mask, from: Ty, to: Ty, d: u16, a: u16) {
    let value = |lane: usize| {
        let bits = r.lane(a, from.slots() == 2, lane);
        match from {
            Ty::I32 => f64::from(bits as i32),
            Ty::U32 => f64::from(bits as u32),
            Ty::I64 => integer(i128::from(bits as i64)),
            Ty::U64 => integer(i128::from(bits)),
            Ty::F32 => f64::from(f(bits as u32)),
            Ty::F64 => g(bits),
            _ => decode(from, bits as u16),
        }
    };
    let converted = |x: f64| match to {
        Ty::I32 => u64::from(x as i32 as u32),
        Ty::U32 => u64::from(x as u32),
        Ty::I64 => to_int64(x, true),
        Ty::U64 => to_int64(x, false),
        Ty::F32 => u64::from(b32(x as f32)),
        Ty::F64 => x.to_bits(),
        _ => u64::from(encode(to, x)),
    };
    let out: [u64; 32] = std::array::from_fn(|lane| {
        let bits = r.lane(a, from.slots() == 2, lane);
        kept_nan(from, to, bits).unwrap_or_else(|| converted(value(lane)))
    });
    if to.slots() == 2 {
        put_pair(r, m, d, &out);
    } else {
        put(r, m, d, &out.map(|x| x as u32));
    }
}
