//! Arithmetic on 16-bit floats and pairs of them, lane by lane.

use super::float::{max64, min64};
use crate::isa::half::{decode, encode, fma_odd};
use crate::isa::{BinOp, CmpOp, Ty};

/// `f` of the low half, and of the high half of a pair. `f` takes the position of the lowest bit.
fn each(ty: Ty, f: impl Fn(u32) -> u16) -> u32 {
    let low = u32::from(f(0));
    if matches!(ty, Ty::F16x2 | Ty::Bf16x2) { low | u32::from(f(16)) << 16 } else { low }
}

pub(in crate::machine) fn binary(op: BinOp, ty: Ty, x: u32, y: u32) -> u32 {
    each(ty, |at| {
        let (a, b) = (decode(ty, (x >> at) as u16), decode(ty, (y >> at) as u16));
        let value = match op {
            BinOp::Add => fma_odd(a, 1.0, b),
            BinOp::Sub => fma_odd(a, 1.0, -b),
            BinOp::Mul => a * b,
            BinOp::Div => a / b,
            BinOp::Min => min64(a, b),
            BinOp::Max => max64(a, b),
            _ => a,
        };
        encode(ty, value)
    })
}

pub(super) fn fma(ty: Ty, x: u32, y: u32, z: u32) -> u32 {
    each(ty, |at| {
        let [a, b, c] = [x, y, z].map(|v| decode(ty, (v >> at) as u16));
        encode(ty, fma_odd(a, b, c))
    })
}

/// Of a pair, whether both hold.
pub(super) fn compare(op: CmpOp, ty: Ty, x: u32, y: u32) -> u32 {
    let holds = |at: u32| {
        let (a, b) = (decode(ty, (x >> at) as u16), decode(ty, (y >> at) as u16));
        super::slow_path::compare(op, a, b) == 1
    };
    u32::from(holds(0) && (!matches!(ty, Ty::F16x2 | Ty::Bf16x2) || holds(16)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_two() {
        let pair = |lo: f64, hi: f64| {
            u32::from(encode(Ty::F16, lo)) | u32::from(encode(Ty::F16, hi)) << 16
        };
        assert_eq!(binary(BinOp::Add, Ty::F16x2, pair(1.0, 2.0), pair(3.0, 4.0)), pair(4.0, 6.0));
        assert_eq!(fma(Ty::F16x2, pair(2.0, 3.0), pair(4.0, 5.0), pair(1.0, 1.0)), pair(9.0, 16.0));
        assert_eq!(compare(CmpOp::Lt, Ty::F16x2, pair(1.0, 2.0), pair(2.0, 2.0)), 0);
        assert_eq!(compare(CmpOp::Le, Ty::F16x2, pair(1.0, 2.0), pair(2.0, 2.0)), 1);
    }
}
