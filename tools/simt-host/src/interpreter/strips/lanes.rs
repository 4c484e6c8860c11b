//! Arithmetic of a strip: one instruction for all lanes.

use super::{LANES, Lanes, Running, Strips};
use crate::alu;
use crate::bytecode::{Inst, Reg};
use crate::interpreter::generic::element;
use crate::specialised::{Specialised, tables};
use simt::isa::{BinOp, CmpOp, Ty, UnOp};
use simt::sema::types::Prim;

/// A lane whose operation fails is not done, nor are those behind it.
#[cold]
fn fails(width: &mut usize, lane: usize) -> u64 {
    *width = (*width).min(lane);
    0
}

/// What an instruction computes; `None` if it fails.
pub(super) fn value_of(inst: Inst, r: impl Fn(Reg) -> u64) -> Option<u64> {
    Some(match inst {
        Inst::Binary { op, ty, a, b, .. } => alu::binary(op, ty, r(a), r(b))?,
        Inst::BinaryConst { op, ty, a, b, .. } => alu::binary(op, ty, r(a), i64::from(b) as u64)?,
        Inst::AddF32 { a, b, .. } => alu::binary(BinOp::Add, Ty::F32, r(a), r(b))?,
        Inst::AddF64 { a, b, .. } => alu::binary(BinOp::Add, Ty::F64, r(a), r(b))?,
        Inst::MulF32 { a, b, .. } => alu::binary(BinOp::Mul, Ty::F32, r(a), r(b))?,
        Inst::MulF64 { a, b, .. } => alu::binary(BinOp::Mul, Ty::F64, r(a), r(b))?,
        Inst::AddI32 { a, b, .. } => alu::binary(BinOp::Add, Ty::U32, r(a), r(b))?,
        Inst::AddI32Const { a, b, .. } => {
            alu::binary(BinOp::Add, Ty::U32, r(a), i64::from(b) as u64)?
        }
        Inst::MulI32 { a, b, .. } => alu::binary(BinOp::Mul, Ty::U32, r(a), r(b))?,
        Inst::AddI64 { a, b, .. } => r(a).wrapping_add(r(b)),
        Inst::Unary { op, ty, a, .. } => alu::unary(op, ty, r(a)),
        Inst::Convert { from, to, a, .. } => alu::convert(from, to, r(a)),
        Inst::Compare { op, ty, a, b, .. } => u64::from(alu::compare(op, ty, r(a), r(b))),
        Inst::Fma { ty, a, b, c, .. } => alu::fma(ty, r(a), r(b), r(c)),
        Inst::Math { function, ty, operands, .. } => alu::math(function, ty, operands.map(r)),
        Inst::Step { a, b, scale, .. } => {
            r(a).wrapping_add(r(b).wrapping_mul(i64::from(scale) as u64))
        }
        Inst::Move { a, .. } => r(a),
        Inst::Offset { a, offset, .. } => r(a).wrapping_add(i64::from(offset) as u64),
        Inst::IndexAddress { at, .. } => element(r(at.p), r(at.index), at),
        _ => return None,
    })
}

macro_rules! execution {
    (
        { $($name:ident $const:ident $op:ident $ty:ident,)* }
        { $($if:ident $ifk:ident $cmp:ident $cty:ident,)* }
        { $($next:ident $nextk:ident $ncmp:ident $nty:ident,)* }
        { $($get:ident $put:ident $width:ident $ety:ident,)* }
        { $($load:ident $store:ident $loadf:ident $storef:ident $mty:ident,)* }
        { $($convert:ident $from:ident $to:ident,)* }
        { $($unary:ident $uop:ident $uty:ident,)* }
    ) => {
        impl Strips {
            /// Executes an instruction for all lanes.
            pub(super) fn lanes(&mut self, inst: Specialised, running: &Running<'_>, width: &mut usize) {
                let slot = |slot: Reg| &self.slots[usize::from(slot)];
                let out: Lanes;
                let d = match inst {
                    Specialised::Const { d, bits } => {
                        out = [bits; LANES];
                        d
                    }
                    Specialised::Move { d, a } => {
                        out = *slot(a);
                        d
                    }
                    $(
                        Specialised::$name { d, a, b } => {
                            let (a, b) = (slot(a), slot(b));
                            out = std::array::from_fn(|lane| {
                                let value = alu::binary(BinOp::$op, Ty::$ty, a[lane], b[lane]);
                                value.unwrap_or_else(|| fails(width, lane))
                            });
                            d
                        }
                        Specialised::$const { d, a, b } => {
                            let a = slot(a);
                            out = std::array::from_fn(|lane| {
                                let value = alu::binary(BinOp::$op, Ty::$ty, a[lane], b);
                                value.unwrap_or_else(|| fails(width, lane))
                            });
                            d
                        }
                    )*
                    $(
                        Specialised::$convert { d, a } => {
                            let a = slot(a);
                            out = a.map(|a| alu::convert(Prim::$from, Prim::$to, a));
                            d
                        }
                    )*
                    $(
                        Specialised::$unary { d, a } => {
                            let a = slot(a);
                            out = a.map(|a| alu::unary(UnOp::$uop, Ty::$uty, a));
                            d
                        }
                    )*
                    Specialised::Compare { op, ty, d, a, b } => {
                        let (a, b) = (slot(a), slot(b));
                        out = std::array::from_fn(|lane| {
                            u64::from(alu::compare(op, ty, a[lane], b[lane]))
                        });
                        d
                    }
                    Specialised::Offset { d, a, offset } => {
                        let a = slot(a);
                        out = a.map(|a| a.wrapping_add(i64::from(offset) as u64));
                        d
                    }
                    Specialised::GlobalAddress { d, global } => {
                        out = [running.globals[global as usize]; LANES];
                        d
                    }
                    // A path has no other: none of its lanes would be right.
                    _ => {
                        *width = 0;
                        return;
                    }
                };
                self.slots[usize::from(d)] = out;
            }

            /// The first lane whose branch is taken, or is not.
            pub(super) fn first_lane(&self, branch: Specialised, taken: bool) -> usize {
                let slot = |slot: Reg| &self.slots[usize::from(slot)];
                let found = match branch {
                    $(
                        Specialised::$if { when, a, b, .. } => {
                            let (a, b) = (slot(a), slot(b));
                            (0..LANES).position(|lane| {
                                let holds = alu::compare(CmpOp::$cmp, Ty::$cty, a[lane], b[lane]);
                                (holds == when) == taken
                            })
                        }
                        Specialised::$ifk { when, a, b, .. } => {
                            let (a, b) = (slot(a), i64::from(b) as u64);
                            (0..LANES).position(|lane| {
                                (alu::compare(CmpOp::$cmp, Ty::$cty, a[lane], b) == when) == taken
                            })
                        }
                    )*
                    Specialised::Branch { when, cond, .. } => {
                        let cond = slot(cond);
                        (0..LANES).position(|lane| ((cond[lane] != 0) == when) == taken)
                    }
                    // A comparison without an opcode of its own.
                    _ => Some(0),
                };
                found.unwrap_or(LANES)
            }
        }
    };
}

tables!(execution);
