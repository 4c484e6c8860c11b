//! Instructions with two operands.

use super::{map1, map2, map2_pair, put_pair};
use crate::isa::{BinOp, Ty};
use crate::machine::alu::float::{b32, b64, f, g, max32, max64, min32, min64};
use crate::machine::alu::half;
use crate::machine::simd::{Mask, Registers};

/// `d = a op b` in the active lanes.
pub(super) fn binary(r: &mut Registers, m: &Mask, op: BinOp, ty: Ty, d: u16, a: u16, b: u16) {
    let divides = matches!(op, BinOp::Div | BinOp::Rem);
    match ty {
        Ty::I32 | Ty::U32 if divides && by_power_of_two(r, m, op, ty, d, a, b) => {}
        Ty::I32 => map2(r, m, d, a, b, |x, y| int32(op, x as i32, y as i32) as u32),
        Ty::U32 => map2(r, m, d, a, b, |x, y| uint32(op, x, y)),
        Ty::I64 | Ty::U64 if op.is_shift() => shift_wide(r, m, op, ty, d, a, b),
        Ty::I64 => map2_pair(r, m, d, a, b, |x, y| int64(op, x as i64, y as i64) as u64),
        Ty::U64 => map2_pair(r, m, d, a, b, |x, y| uint64(op, x, y)),
        Ty::F32 => map2(r, m, d, a, b, |x, y| b32(float32(op, f(x), f(y)))),
        // Loops of their own, which the compiler vectorises.
        Ty::F64 if op == BinOp::Add => map2_pair(r, m, d, a, b, |x, y| b64(g(x) + g(y), [x, y])),
        Ty::F64 if op == BinOp::Sub => map2_pair(r, m, d, a, b, |x, y| b64(g(x) - g(y), [x, y])),
        Ty::F64 if op == BinOp::Mul => map2_pair(r, m, d, a, b, |x, y| b64(g(x) * g(y), [x, y])),
        Ty::F64 if op == BinOp::Div => map2_pair(r, m, d, a, b, |x, y| b64(g(x) / g(y), [y, x])),
        Ty::F64 => map2_pair(r, m, d, a, b, |x, y| b64(float64(op, g(x), g(y)), [x, y])),
        Ty::F16 | Ty::Bf16 | Ty::F16x2 | Ty::Bf16x2 => {
            map2(r, m, d, a, b, |x, y| half::binary(op, ty, x, y));
        }
    }
}

/// Operations on integers of one type. Division by zero gives all ones, as the hardware's
/// instruction sequence does. (An observer reports it; in C++ it is undefined.)
macro_rules! integer {
    ($name:ident, $type:ty, $double:ty) => {
        #[inline(always)]
        fn $name(op: BinOp, x: $type, y: $type) -> $type {
            match op {
                BinOp::Add => x.wrapping_add(y),
                BinOp::Sub => x.wrapping_sub(y),
                BinOp::Mul => x.wrapping_mul(y),
                BinOp::MulHi => ((x as $double * y as $double) >> <$type>::BITS) as $type,
                BinOp::Div | BinOp::Rem if y == 0 => !0,
                BinOp::Div => x.wrapping_div(y),
                BinOp::Rem => x.wrapping_rem(y),
                BinOp::And => x & y,
                BinOp::Or => x | y,
                BinOp::Xor => x ^ y,
                BinOp::Shl | BinOp::ShlClamp => x.unbounded_shl(y as u32),
                BinOp::Shr | BinOp::ShrClamp => x.unbounded_shr(y as u32),
                BinOp::Min => x.min(y),
                BinOp::Max => x.max(y),
            }
        }
    };
}

integer!(int32, i32, i64);
integer!(uint32, u32, u64);
integer!(int64, i64, i128);
integer!(uint64, u64, u128);

/// Operations on floats of one format.
macro_rules! float {
    ($name:ident, $type:ty, $min:ident, $max:ident) => {
        #[inline(always)]
        fn $name(op: BinOp, x: $type, y: $type) -> $type {
            match op {
                BinOp::Add => x + y,
                BinOp::Sub => x - y,
                BinOp::Mul => x * y,
                BinOp::Div => x / y,
                BinOp::Rem => x % y,
                BinOp::Min => $min(x, y),
                BinOp::Max => $max(x, y),
                // Bits and shifts are of integers alone.
                _ => x,
            }
        }
    };
}

float!(float32, f32, min32, max32);
float!(float64, f64, min64, max64);

/// A shift of 64 bits: its counts have 32.
fn shift_wide(r: &mut Registers, m: &Mask, op: BinOp, ty: Ty, d: u16, a: u16, b: u16) {
    let (x, counts) = (*r.pair(a), *r.row(b));
    let out = std::array::from_fn(|l| match op {
        BinOp::Shl | BinOp::ShlClamp => x[l].unbounded_shl(counts[l]),
        _ if ty == Ty::I64 => (x[l] as i64).unbounded_shr(counts[l]) as u64,
        _ => x[l].unbounded_shr(counts[l]),
    });
    put_pair(r, m, d, &out);
}

/// Division by the same power of two in all lanes, which is common in computations of indices: a
/// shift and a mask. `false` if it is no such division.
fn by_power_of_two(r: &mut Registers, m: &Mask, op: BinOp, ty: Ty, d: u16, a: u16, b: u16) -> bool {
    let divisors = r.row(b);
    let by = divisors[m.first()];
    if !by.is_power_of_two() || by > 1 << 30 || divisors.iter().any(|&y| y != by) {
        return false;
    }
    let (shift, low) = (by.trailing_zeros(), by - 1);
    // A negative dividend rounds toward zero.
    let up = |x: u32| ((x as i32 >> 31) as u32) & low;
    match (op, ty) {
        (BinOp::Div, Ty::U32) => map1(r, m, d, a, |x| x >> shift),
        (BinOp::Rem, Ty::U32) => map1(r, m, d, a, |x| x & low),
        (BinOp::Div, Ty::I32) => {
            map1(r, m, d, a, |x| (x.wrapping_add(up(x)) as i32 >> shift) as u32)
        }
        (BinOp::Rem, Ty::I32) => map1(r, m, d, a, |x| x.wrapping_sub(x.wrapping_add(up(x)) & !low)),
        _ => return false,
    }
    true
}
