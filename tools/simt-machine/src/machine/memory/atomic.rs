//! The arithmetic of atomics.

use crate::isa::{AtomicOp, BinOp, Ty};
use crate::machine::alu::{b32, b64, binary16, max32, max64, min32, min64};

/// The new value, given the old one and the operands.
pub(crate) fn apply(op: AtomicOp, ty: Ty, old: u64, a: u64, b: u64) -> u64 {
    match ty {
        Ty::F32 => {
            let (x, y) = (f32::from_bits(old as u32), f32::from_bits(a as u32));
            u64::from(match op {
                AtomicOp::Add => b32(x + y),
                AtomicOp::Sub => b32(x - y),
                AtomicOp::Min => b32(min32(x, y)),
                AtomicOp::Max => b32(max32(x, y)),
                _ => return integer(op, old, a, b, u32::MAX.into(), false),
            })
        }
        Ty::F64 => {
            let (x, y) = (f64::from_bits(old), f64::from_bits(a));
            match op {
                AtomicOp::Add => sum64(x + y, old, a),
                AtomicOp::Sub => sum64(x - y, old, a),
                AtomicOp::Min => b64(min64(x, y), [old, a]),
                AtomicOp::Max => b64(max64(x, y), [old, a]),
                _ => integer(op, old, a, b, u64::MAX, false),
            }
        }
        Ty::F16 | Ty::Bf16 | Ty::F16x2 | Ty::Bf16x2 => match op {
            AtomicOp::Add => binary16(BinOp::Add, ty, old as u32, a as u32).into(),
            AtomicOp::Min => binary16(BinOp::Min, ty, old as u32, a as u32).into(),
            AtomicOp::Max => binary16(BinOp::Max, ty, old as u32, a as u32).into(),
            _ => integer(op, old, a, b, u32::MAX.into(), false),
        },
        Ty::I32 => integer(op, old, a, b, u32::MAX.into(), true),
        Ty::U32 => integer(op, old, a, b, u32::MAX.into(), false),
        Ty::I64 => integer(op, old, a, b, u64::MAX, true),
        Ty::U64 => integer(op, old, a, b, u64::MAX, false),
    }
}

/// A sum in binary64. An atomic keeps a NaN as it is, signalling or not; an operand's before the old one.
fn sum64(sum: f64, old: u64, a: u64) -> u64 {
    let is_nan = |x: u64| f64::from_bits(x).is_nan();
    match (is_nan(a), is_nan(old)) {
        (true, _) => a,
        (false, true) => old,
        _ => b64(sum, [old, a]),
    }
}

fn integer(op: AtomicOp, x: u64, a: u64, b: u64, width: u64, signed: bool) -> u64 {
    // Sign-extended, a signed comparison of 32 bits is one of 64.
    let order = |v: u64| match (signed, width == u64::MAX) {
        (true, true) => v as i64 as i128,
        (true, false) => i128::from(v as i32),
        _ => i128::from(v),
    };
    let new = match op {
        AtomicOp::Add => x.wrapping_add(a),
        AtomicOp::Sub => x.wrapping_sub(a),
        AtomicOp::Min => {
            if order(a) < order(x) {
                a
            } else {
                x
            }
        }
        AtomicOp::Max => {
            if order(a) > order(x) {
                a
            } else {
                x
            }
        }
        AtomicOp::And => x & a,
        AtomicOp::Or => x | a,
        AtomicOp::Xor => x ^ a,
        AtomicOp::Exch => a,
        AtomicOp::Cas => {
            if x == a {
                b
            } else {
                x
            }
        }
        AtomicOp::Inc => {
            if x >= a {
                0
            } else {
                x + 1
            }
        }
        AtomicOp::Dec => {
            if x == 0 || x > a {
                a
            } else {
                x - 1
            }
        }
    };
    new & width
}
