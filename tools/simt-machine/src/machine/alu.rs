//! Arithmetic on 32 lanes.
//!
//! What kernels do most stands in `hot` functions that are inlined into the machine's loop, and so
//! are compiled for the vector instructions that the loop was compiled for. The rest is ordinary
//! functions. Both give the same bits on every processor and in WebAssembly:
//! integers wrap, shifts past the width give what [`BinOp`] says, floats are rounded once, and a
//! float result that is not a number is always the one NaN that the hardware makes.

mod cold;
mod convert;
mod double;
mod float;
mod half;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod lane;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod vector;

pub(super) use cold::cold;
pub(super) use float::{b32, b64, max32, max64, min32, min64};
pub(super) use half::binary as binary16;

use super::simd::{Mask, Registers};
use crate::isa::{BinOp, CmpOp, Inst, Reg, Ty};
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use lane as on;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use vector as on;

/// What kernels do most, with operation and type in one tag, so that the loop finds it with one
/// jump. Everything else is [`Op::Rest`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Op {
    Mov(Reg, Reg),
    MovWide(Reg, Reg),
    Add(Reg, Reg, Reg),
    Sub(Reg, Reg, Reg),
    Mul(Reg, Reg, Reg),
    And(Reg, Reg, Reg),
    Or(Reg, Reg, Reg),
    Xor(Reg, Reg, Reg),
    Shl(Reg, Reg, Reg),
    ShrSigned(Reg, Reg, Reg),
    Shr(Reg, Reg, Reg),
    MinSigned(Reg, Reg, Reg),
    MaxSigned(Reg, Reg, Reg),
    Mad(Reg, Reg, Reg, Reg),
    AddF(Reg, Reg, Reg),
    SubF(Reg, Reg, Reg),
    MulF(Reg, Reg, Reg),
    FmaF(Reg, Reg, Reg, Reg),
    FmaD(Reg, Reg, Reg, Reg),
    AddWide(Reg, Reg, Reg),
    SubWide(Reg, Reg, Reg),
    MulWide(Reg, Reg, Reg),
    EqI(Reg, Reg, Reg),
    NeI(Reg, Reg, Reg),
    LtI(Reg, Reg, Reg),
    LeI(Reg, Reg, Reg),
    LtU(Reg, Reg, Reg),
    LeU(Reg, Reg, Reg),
    EqF(Reg, Reg, Reg),
    NeF(Reg, Reg, Reg),
    LtF(Reg, Reg, Reg),
    LeF(Reg, Reg, Reg),
    Select(Reg, Reg, Reg, Reg),
    ToFloat(Reg, Reg),
    ToWide(Reg, Reg),
    /// An access to a known object, by its number in [`Program::plans`], perhaps together with the
    /// `Lea` before it, which is where the tag stands then.
    ///
    /// [`Program::plans`]: super::program::Program::plans
    Access(u32),
    /// Condition, which value of it jumps, target.
    Branch(Reg, bool, u32),
    Rest,
}

impl Op {
    /// An instruction's tag.
    pub(super) fn of(inst: &Inst) -> Op {
        use BinOp as B;
        use Ty::*;
        match *inst {
            Inst::Mov { wide: false, d, a } => Op::Mov(d, a),
            Inst::Mov { wide: true, d, a } => Op::MovWide(d, a),
            Inst::Binary { op, ty, d, a, b } => match (op, ty) {
                (B::Add, I32 | U32) => Op::Add(d, a, b),
                (B::Sub, I32 | U32) => Op::Sub(d, a, b),
                (B::Mul, I32 | U32) => Op::Mul(d, a, b),
                (B::And, I32 | U32) => Op::And(d, a, b),
                (B::Or, I32 | U32) => Op::Or(d, a, b),
                (B::Xor, I32 | U32) => Op::Xor(d, a, b),
                (B::Shl, I32 | U32) => Op::Shl(d, a, b),
                (B::Shr, I32) => Op::ShrSigned(d, a, b),
                (B::Shr, U32) => Op::Shr(d, a, b),
                (B::Min, I32) => Op::MinSigned(d, a, b),
                (B::Max, I32) => Op::MaxSigned(d, a, b),
                (B::Add, F32) => Op::AddF(d, a, b),
                (B::Sub, F32) => Op::SubF(d, a, b),
                (B::Mul, F32) => Op::MulF(d, a, b),
                (B::Add, I64 | U64) => Op::AddWide(d, a, b),
                (B::Sub, I64 | U64) => Op::SubWide(d, a, b),
                (B::Mul, I64 | U64) => Op::MulWide(d, a, b),
                _ => Op::Rest,
            },
            Inst::Fma { ty: I32 | U32, d, a, b, c } => Op::Mad(d, a, b, c),
            Inst::Fma { ty: F32, d, a, b, c } => Op::FmaF(d, a, b, c),
            Inst::Fma { ty: F64, d, a, b, c } => Op::FmaD(d, a, b, c),
            Inst::Compare { op, ty, d, a, b } => match (op, ty) {
                (CmpOp::Eq, I32 | U32) => Op::EqI(d, a, b),
                (CmpOp::Ne, I32 | U32) => Op::NeI(d, a, b),
                (CmpOp::Lt, I32) => Op::LtI(d, a, b),
                (CmpOp::Le, I32) => Op::LeI(d, a, b),
                (CmpOp::Gt, I32) => Op::LtI(d, b, a),
                (CmpOp::Ge, I32) => Op::LeI(d, b, a),
                (CmpOp::Lt, U32) => Op::LtU(d, a, b),
                (CmpOp::Le, U32) => Op::LeU(d, a, b),
                (CmpOp::Gt, U32) => Op::LtU(d, b, a),
                (CmpOp::Ge, U32) => Op::LeU(d, b, a),
                (CmpOp::Eq, F32) => Op::EqF(d, a, b),
                (CmpOp::Ne, F32) => Op::NeF(d, a, b),
                (CmpOp::Lt, F32) => Op::LtF(d, a, b),
                (CmpOp::Le, F32) => Op::LeF(d, a, b),
                (CmpOp::Gt, F32) => Op::LtF(d, b, a),
                (CmpOp::Ge, F32) => Op::LeF(d, b, a),
                _ => Op::Rest,
            },
            Inst::Select { wide: false, d, cond, a, b } => Op::Select(d, cond, a, b),
            Inst::Convert { from: I32, to: F32, d, a } => Op::ToFloat(d, a),
            Inst::Convert { from: I32, to: I64 | U64, d, a } => Op::ToWide(d, a),
            Inst::Branch { cond, when, target } => Op::Branch(cond, when, target),
            _ => Op::Rest,
        }
    }
}

/// Does what the tags say from `pc` on, as long as that is arithmetic: the first that is not, where
/// `pc` stands then, or none where the tags end.
#[inline(always)]
pub(super) fn run<const FMA: bool>(
    r: &mut Registers,
    m: &Mask,
    ops: &[Op],
    pc: &mut u32,
) -> Option<Op> {
    loop {
        match ops.get(*pc as usize) {
            Some(&op) if hot::<FMA>(r, m, op) => *pc += 1,
            other => return other.copied(),
        }
    }
}

/// Does it; `false` if it is no arithmetic, or [`Op::Rest`].
#[inline(always)]
fn hot<const FMA: bool>(r: &mut Registers, m: &Mask, op: Op) -> bool {
    match op {
        Op::Mov(d, a) => r.map1(m, d, a, |x| x),
        Op::MovWide(d, a) => r.map2_pair(m, d, a, a, |x, _| x),
        Op::Add(d, a, b) => r.map2(m, d, a, b, on::add),
        Op::Sub(d, a, b) => r.map2(m, d, a, b, on::sub),
        Op::Mul(d, a, b) => r.map2(m, d, a, b, on::mul),
        Op::And(d, a, b) => r.map2(m, d, a, b, on::and),
        Op::Or(d, a, b) => r.map2(m, d, a, b, on::or),
        Op::Xor(d, a, b) => r.map2(m, d, a, b, on::xor),
        Op::Shl(d, a, b) => r.map2(m, d, a, b, on::shl),
        Op::ShrSigned(d, a, b) => r.map2(m, d, a, b, on::shr_signed),
        Op::Shr(d, a, b) => r.map2(m, d, a, b, on::shr),
        Op::MinSigned(d, a, b) => r.map2(m, d, a, b, on::min_signed),
        Op::MaxSigned(d, a, b) => r.map2(m, d, a, b, on::max_signed),
        Op::Mad(d, a, b, c) => r.map3(m, d, a, b, c, on::mul_add),
        Op::AddF(d, a, b) => r.map2(m, d, a, b, on::add_float),
        Op::SubF(d, a, b) => r.map2(m, d, a, b, on::sub_float),
        Op::MulF(d, a, b) => r.map2(m, d, a, b, on::mul_float),
        Op::FmaF(d, a, b, c) => on::fused::<FMA>(r, m, d, a, b, c),
        Op::FmaD(d, a, b, c) => on::fused_wide::<FMA>(r, m, d, a, b, c),
        Op::AddWide(d, a, b) => r.map2_pair(m, d, a, b, on::add_wide),
        Op::SubWide(d, a, b) => r.map2_pair(m, d, a, b, on::sub_wide),
        Op::MulWide(d, a, b) => r.map2_pair(m, d, a, b, on::mul_wide),
        Op::EqI(d, a, b) => r.map2(m, d, a, b, on::eq),
        Op::NeI(d, a, b) => r.map2(m, d, a, b, on::ne),
        Op::LtI(d, a, b) => r.map2(m, d, a, b, on::lt_signed),
        Op::LeI(d, a, b) => r.map2(m, d, a, b, on::le_signed),
        Op::LtU(d, a, b) => r.map2(m, d, a, b, on::lt),
        Op::LeU(d, a, b) => r.map2(m, d, a, b, on::le),
        Op::EqF(d, a, b) => r.map2(m, d, a, b, on::eq_float),
        Op::NeF(d, a, b) => r.map2(m, d, a, b, on::ne_float),
        Op::LtF(d, a, b) => r.map2(m, d, a, b, on::lt_float),
        Op::LeF(d, a, b) => r.map2(m, d, a, b, on::le_float),
        Op::Select(d, c, a, b) => r.map3(m, d, c, a, b, on::select),
        Op::ToFloat(d, a) => r.map1(m, d, a, on::to_float),
        Op::ToWide(d, a) => on::to_wide(r, m, d, a),
        Op::Access(_) | Op::Branch(..) | Op::Rest => return false,
    }
    true
}

#[cfg(test)]
mod tests;
