//! Instructions with one operand.

use super::{map1, put, put_pair};
use crate::isa::{Ty, UnOp};
use crate::machine::alu::float::{b32, b64, f, g};
use crate::machine::simd::{Mask, Registers};

/// `d = op(a)` in the active lanes.
pub(super) fn unary(r: &mut Registers, m: &Mask, op: UnOp, ty: Ty, d: u16, a: u16) {
    match ty {
        Ty::I32 | Ty::U32 => map1(r, m, d, a, |x| int32(op, x)),
        Ty::F32 => map1(r, m, d, a, |x| float32(op, x)),
        Ty::F16 | Ty::Bf16 => map1(r, m, d, a, |x| float16(op, ty, x)),
        Ty::F16x2 | Ty::Bf16x2 => {
            map1(r, m, d, a, |x| float16(op, ty, x & 0xFFFF) | float16(op, ty, x >> 16) << 16);
        }
        Ty::F64 => {
            let out = r.pair(a).map(|x| float64(op, x));
            put_pair(r, m, d, &out);
        }
        Ty::I64 | Ty::U64 => {
            let out = r.pair(a).map(|x| int64(op, x));
            if op.is_count() {
                put(r, m, d, &out.map(|count| count as u32));
            } else {
                put_pair(r, m, d, &out);
            }
        }
    }
}

/// Operations on integers of one width, as bits.
macro_rules! integer {
    ($name:ident, $unsigned:ty, $signed:ty) => {
        fn $name(op: UnOp, x: $unsigned) -> $unsigned {
            match op {
                UnOp::Neg => x.wrapping_neg(),
                UnOp::Not => !x,
                UnOp::Abs => (x as $signed).unsigned_abs(),
                UnOp::Popc => x.count_ones().into(),
                UnOp::Clz => x.leading_zeros().into(),
                UnOp::Brev => x.reverse_bits(),
                UnOp::Ffs if x == 0 => 0,
                UnOp::Ffs => (x.trailing_zeros() + 1).into(),
                UnOp::Sqrt | UnOp::Floor | UnOp::Ceil | UnOp::Trunc | UnOp::RoundEven => x,
            }
        }
    };
}

integer!(int32, u32, i32);
integer!(int64, u64, i64);

/// Operations on floats of one format, as bits. The sign of a NaN stays, or it becomes the canonical one.
macro_rules! float {
    ($name:ident, $bits:ty, $decode:ident, $encode:expr) => {
        fn $name(op: UnOp, x: $bits) -> $bits {
            match op {
                UnOp::Neg => $encode(-$decode(x), x),
                UnOp::Abs => $encode($decode(x).abs(), x),
                UnOp::Sqrt => $encode($decode(x).sqrt(), x),
                UnOp::Floor => $encode($decode(x).floor(), x),
                UnOp::Ceil => $encode($decode(x).ceil(), x),
                UnOp::Trunc => $encode($decode(x).trunc(), x),
                UnOp::RoundEven => $encode($decode(x).round_ties_even(), x),
                UnOp::Not | UnOp::Popc | UnOp::Clz | UnOp::Brev | UnOp::Ffs => x,
            }
        }
    };
}

float!(float32, u32, f, |value, _| b32(value));
float!(float64, u64, g, |value, operand| b64(value, [operand]));

/// 16-bit floats have only the operations on the sign.
fn float16(op: UnOp, ty: Ty, x: u32) -> u32 {
    const CANONICAL: u32 = 0x7FFF;
    let infinity = if matches!(ty, Ty::Bf16 | Ty::Bf16x2) { 0x7F80 } else { 0x7C00 };
    match op {
        UnOp::Neg | UnOp::Abs if x & 0x7FFF > infinity => CANONICAL,
        UnOp::Neg => x ^ 0x8000,
        UnOp::Abs => x & 0x7FFF,
        _ => x,
    }
}
