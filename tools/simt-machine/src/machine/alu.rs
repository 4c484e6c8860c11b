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
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod fused;
mod half;

pub(super) use cold::cold;
pub(super) use float::{b32, b64, max32, max64, min32, min64};
pub(super) use half::binary as binary16;

use super::simd::{Mask, Registers};
use crate::isa::{BinOp, CmpOp, Inst, Reg, Ty};
use float::{f, g};

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use float::fma_row;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use fused::fma_row;

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
    let signed = |x: u32| x as i32;
    match op {
        Op::Mov(d, a) => r.map1(m, d, a, |x| x),
        Op::MovWide(d, a) => r.map2_pair(m, d, a, a, |x, _| x),
        Op::Add(d, a, b) => r.map2(m, d, a, b, u32::wrapping_add),
        Op::Sub(d, a, b) => r.map2(m, d, a, b, u32::wrapping_sub),
        Op::Mul(d, a, b) => r.map2(m, d, a, b, u32::wrapping_mul),
        Op::And(d, a, b) => r.map2(m, d, a, b, |x, y| x & y),
        Op::Or(d, a, b) => r.map2(m, d, a, b, |x, y| x | y),
        Op::Xor(d, a, b) => r.map2(m, d, a, b, |x, y| x ^ y),
        Op::Shl(d, a, b) => r.map2(m, d, a, b, |x, y| if y < 32 { x << (y & 31) } else { 0 }),
        Op::ShrSigned(d, a, b) => r.map2(m, d, a, b, |x, y| (signed(x) >> y.min(31)) as u32),
        Op::Shr(d, a, b) => r.map2(m, d, a, b, |x, y| if y < 32 { x >> (y & 31) } else { 0 }),
        Op::MinSigned(d, a, b) => r.map2(m, d, a, b, |x, y| signed(x).min(signed(y)) as u32),
        Op::MaxSigned(d, a, b) => r.map2(m, d, a, b, |x, y| signed(x).max(signed(y)) as u32),
        Op::Mad(d, a, b, c) => r.map3(m, d, a, b, c, |x, y, z| x.wrapping_mul(y).wrapping_add(z)),
        Op::AddF(d, a, b) => r.map2(m, d, a, b, |x, y| b32(f(x) + f(y))),
        Op::SubF(d, a, b) => r.map2(m, d, a, b, |x, y| b32(f(x) - f(y))),
        Op::MulF(d, a, b) => r.map2(m, d, a, b, |x, y| b32(f(x) * f(y))),
        Op::FmaF(d, a, b, c) if FMA || cfg!(target_arch = "aarch64") => {
            r.map3(m, d, a, b, c, |x, y, z| b32(f(x).mul_add(f(y), f(z))));
        }
        Op::FmaF(d, a, b, c) => {
            let out = fma_row(r.row(a), r.row(b), r.row(c));
            r.put(m, d, &out);
        }
        Op::FmaD(d, a, b, c) if FMA || cfg!(target_arch = "aarch64") => {
            r.map3_pair(m, d, a, b, c, |x, y, z| b64(g(x).mul_add(g(y), g(z))));
        }
        Op::FmaD(d, a, b, c) => {
            let out = double::fma_row(r.pair(a), r.pair(b), r.pair(c), m.bits);
            r.put_pair(m, d, &out);
        }
        Op::AddWide(d, a, b) => r.map2_pair(m, d, a, b, u64::wrapping_add),
        Op::SubWide(d, a, b) => r.map2_pair(m, d, a, b, u64::wrapping_sub),
        Op::MulWide(d, a, b) => r.map2_pair(m, d, a, b, u64::wrapping_mul),
        Op::EqI(d, a, b) => r.map2(m, d, a, b, |x, y| u32::from(x == y)),
        Op::NeI(d, a, b) => r.map2(m, d, a, b, |x, y| u32::from(x != y)),
        Op::LtI(d, a, b) => r.map2(m, d, a, b, |x, y| u32::from(signed(x) < signed(y))),
        Op::LeI(d, a, b) => r.map2(m, d, a, b, |x, y| u32::from(signed(x) <= signed(y))),
        Op::LtU(d, a, b) => r.map2(m, d, a, b, |x, y| u32::from(x < y)),
        Op::LeU(d, a, b) => r.map2(m, d, a, b, |x, y| u32::from(x <= y)),
        Op::EqF(d, a, b) => r.map2(m, d, a, b, |x, y| u32::from(f(x) == f(y))),
        Op::NeF(d, a, b) => r.map2(m, d, a, b, |x, y| u32::from(f(x) != f(y))),
        Op::LtF(d, a, b) => r.map2(m, d, a, b, |x, y| u32::from(f(x) < f(y))),
        Op::LeF(d, a, b) => r.map2(m, d, a, b, |x, y| u32::from(f(x) <= f(y))),
        Op::Select(d, c, a, b) => r.map3(m, d, c, a, b, |c, x, y| if c != 0 { x } else { y }),
        Op::ToFloat(d, a) => r.map1(m, d, a, |x| (signed(x) as f32).to_bits()),
        Op::ToWide(d, a) => {
            let wide = r.row(a).map(|x| i64::from(signed(x)) as u64);
            r.put_pair(m, d, &wide);
        }
        Op::Access(_) | Op::Branch(..) | Op::Rest => return false,
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::simd::FULL;

    /// Runs one binary instruction on two rows.
    fn both(op: BinOp, ty: Ty, x: [u32; 32], y: [u32; 32]) -> [u32; 32] {
        let mut r = Registers::new(4);
        (*r.row_mut(0), *r.row_mut(1)) = (x, y);
        let inst = Inst::Binary { op, ty, d: 2, a: 0, b: 1 };
        let m = Mask::new(FULL);
        assert!(hot::<false>(&mut r, &m, Op::of(&inst)) || cold(&mut r, &m, &inst));
        *r.row(2)
    }

    /// Where somebody judges, shifts by what is not known take the other way.
    #[test]
    fn shifts_do_the_same_out_of_the_loop() {
        let mut r = Registers::new(4);
        let counts = [0, 1, 7, 31, 32, 33, 1 << 16, u32::MAX];
        *r.row_mut(0) = std::array::from_fn(|l| 0x9E37_79B9u32.rotate_left(l as u32));
        *r.row_mut(1) = std::array::from_fn(|l| counts[l % counts.len()]);
        let m = Mask::new(FULL);
        for (op, ty) in [BinOp::Shl, BinOp::Shr].map(|op| [(op, Ty::I32), (op, Ty::U32)]).concat() {
            let inst = |d| Inst::Binary { op, ty, d, a: 0, b: 1 };
            assert!(hot::<false>(&mut r, &m, Op::of(&inst(2))) && cold(&mut r, &m, &inst(3)));
            assert_eq!(r.row(2), r.row(3), "{op:?} of {ty:?}");
        }
    }

    #[test]
    fn division_by_a_power_of_two_is_division() {
        let edges = [
            0u32,
            1,
            2,
            3,
            7,
            8,
            100,
            i32::MAX as u32,
            i32::MIN as u32,
            u32::MAX,
            -7i32 as u32,
            -8i32 as u32,
        ];
        let x: [u32; 32] = std::array::from_fn(|l| edges[l % edges.len()]);
        for by in [1u32, 2, 4, 8, 1 << 30] {
            let y = [by; 32];
            for l in 0..32 {
                let (i, j) = (x[l] as i32, by as i32);
                assert_eq!(
                    both(BinOp::Div, Ty::I32, x, y)[l],
                    i.wrapping_div(j) as u32,
                    "{i} / {j}"
                );
                assert_eq!(
                    both(BinOp::Rem, Ty::I32, x, y)[l],
                    i.wrapping_rem(j) as u32,
                    "{i} % {j}"
                );
                assert_eq!(both(BinOp::Div, Ty::U32, x, y)[l], x[l] / by);
                assert_eq!(both(BinOp::Rem, Ty::U32, x, y)[l], x[l] % by);
            }
        }
    }
}
