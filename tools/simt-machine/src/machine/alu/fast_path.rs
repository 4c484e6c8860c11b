//! The fast path: the operations that kernels use most, one row each.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(super) use super::scalar as lanes;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) use super::wasm_simd as lanes;
use crate::isa::Ty::{F32, F64, I32, I64, U32, U64};
use crate::isa::{BinOp, CmpOp, Inst, Reg};
use crate::machine::simd::{Mask, Registers};

/// Generates [`Op`], [`Op::of`] and [`execute`] from rows of the form
///
/// ```text
/// pattern => Name(operands), how(function);
/// ```
///
/// `pattern` matches the instructions that the operation stands for, and binds its operands; a
/// comparison with swapped operands needs no operation of its own. `function` is of the module
/// `lanes`, and `how` says what it is: `map1`, `map2`, ... of one lane, to be mapped over all lanes
/// by the method of [`Registers`] of that name; `rows` of whole registers; `fused` likewise, with a
/// version for processors that have a fused multiply-add.
macro_rules! fast_path {
    ($($pattern:pat => $name:ident($($operand:ident),+), $how:ident($function:ident);)+) => {
        /// What an instruction is decoded to: operation and type in one tag, so that the
        /// interpreter finds its code with one jump.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Op {
            $($name($(fast_path!(@register $operand)),+),)+
            /// An access to a known object, by its number in [`PreparedKernel::plans`], perhaps together
            /// with the `Lea` before it, which then has this tag.
            ///
            /// [`PreparedKernel::plans`]: crate::machine::prepared_kernel::PreparedKernel::plans
            Access(u32),
            /// Condition, which value of it jumps, target.
            Branch(Reg, bool, u32),
            /// Shifts whose count is looked at first: one of the width or more takes the slow path, which
            /// tells the observer.
            ShlIfWithin(Reg, Reg, Reg),
            ShrIfWithin(Reg, Reg, Reg),
            ShrSignedIfWithin(Reg, Reg, Reg),
            /// No fast path: the instruction itself says what to do.
            SlowPath,
        }

        impl Op {
            /// Decodes an instruction.
            pub(crate) fn of(inst: &Inst) -> Op {
                match *inst {
                    $($pattern => Op::$name($($operand),+),)+
                    Inst::Branch { cond, when, target } => Op::Branch(cond, when, target),
                    _ => Op::SlowPath,
                }
            }

            /// The same for a shift whose count may be undefined.
            pub(crate) fn of_doubtful(inst: &Inst) -> Op {
                match Op::of(inst) {
                    Op::Shl(d, a, b) => Op::ShlIfWithin(d, a, b),
                    Op::Shr(d, a, b) => Op::ShrIfWithin(d, a, b),
                    Op::ShrSigned(d, a, b) => Op::ShrSignedIfWithin(d, a, b),
                    _ => Op::SlowPath,
                }
            }
        }

        /// Executes an operation; `false` if it is not arithmetic, or takes the slow path.
        #[inline(always)]
        pub(super) fn execute<const FMA: bool>(r: &mut Registers, m: &Mask, op: Op) -> bool {
            match op {
                $(Op::$name($($operand),+) => {
                    fast_path!(@execute $how, $function, r, m, FMA, $($operand),+);
                })+
                _ => return false,
            }
            true
        }
    };
    (@register $operand:ident) => { Reg };
    (@execute rows, $function:ident, $r:ident, $m:ident, $fma:ident, $($operand:ident),+) => {
        lanes::$function($r, $m, $($operand),+)
    };
    (@execute fused, $function:ident, $r:ident, $m:ident, $fma:ident, $($operand:ident),+) => {
        lanes::$function::<$fma>($r, $m, $($operand),+)
    };
    (@execute $how:ident, $function:ident, $r:ident, $m:ident, $fma:ident, $($operand:ident),+) => {
        $r.$how($m, $($operand),+, lanes::$function)
    };
}

fast_path! {
    Inst::Mov { wide: false, d, a } => Mov(d, a), map1(copy);
    Inst::Mov { wide: true, d, a } => MovWide(d, a), map1_pair(copy_wide);

    Inst::Binary { op: BinOp::Add, ty: I32 | U32, d, a, b } => Add(d, a, b), map2(add);
    Inst::Binary { op: BinOp::Sub, ty: I32 | U32, d, a, b } => Sub(d, a, b), map2(sub);
    Inst::Binary { op: BinOp::Mul, ty: I32 | U32, d, a, b } => Mul(d, a, b), map2(mul);
    Inst::Binary { op: BinOp::And, ty: I32 | U32, d, a, b } => And(d, a, b), map2(and);
    Inst::Binary { op: BinOp::Or, ty: I32 | U32, d, a, b } => Or(d, a, b), map2(or);
    Inst::Binary { op: BinOp::Xor, ty: I32 | U32, d, a, b } => Xor(d, a, b), map2(xor);
    Inst::Binary { op: BinOp::Shl | BinOp::ShlClamp, ty: I32 | U32, d, a, b } => Shl(d, a, b), map2(shl);
    Inst::Binary { op: BinOp::Shr | BinOp::ShrClamp, ty: I32, d, a, b } => ShrSigned(d, a, b), map2(shr_signed);
    Inst::Binary { op: BinOp::Shr | BinOp::ShrClamp, ty: U32, d, a, b } => Shr(d, a, b), map2(shr);
    Inst::Binary { op: BinOp::Min, ty: I32, d, a, b } => MinSigned(d, a, b), map2(min_signed);
    Inst::Binary { op: BinOp::Max, ty: I32, d, a, b } => MaxSigned(d, a, b), map2(max_signed);
    Inst::Fma { ty: I32 | U32, d, a, b, c } => MulAdd(d, a, b, c), map3(mul_add);

    Inst::Binary { op: BinOp::Add, ty: F32, d, a, b } => AddFloat(d, a, b), map2(add_float);
    Inst::Binary { op: BinOp::Sub, ty: F32, d, a, b } => SubFloat(d, a, b), map2(sub_float);
    Inst::Binary { op: BinOp::Mul, ty: F32, d, a, b } => MulFloat(d, a, b), map2(mul_float);
    Inst::Fma { ty: F32, d, a, b, c } => FmaFloat(d, a, b, c), fused(fma_float);
    Inst::Fma { ty: F64, d, a, b, c } => FmaDouble(d, a, b, c), fused(fma_double);

    Inst::Binary { op: BinOp::Add, ty: I64 | U64, d, a, b } => AddWide(d, a, b), map2_pair(add_wide);
    Inst::Binary { op: BinOp::Sub, ty: I64 | U64, d, a, b } => SubWide(d, a, b), map2_pair(sub_wide);
    Inst::Binary { op: BinOp::Mul, ty: I64 | U64, d, a, b } => MulWide(d, a, b), map2_pair(mul_wide);

    Inst::Compare { op: CmpOp::Eq, ty: I32 | U32, d, a, b } => Eq(d, a, b), map2(eq);
    Inst::Compare { op: CmpOp::Ne, ty: I32 | U32, d, a, b } => Ne(d, a, b), map2(ne);
    Inst::Compare { op: CmpOp::Lt, ty: I32, d, a, b }
    | Inst::Compare { op: CmpOp::Gt, ty: I32, d, a: b, b: a }
    => LtSigned(d, a, b), map2(lt_signed);
    Inst::Compare { op: CmpOp::Le, ty: I32, d, a, b }
    | Inst::Compare { op: CmpOp::Ge, ty: I32, d, a: b, b: a }
    => LeSigned(d, a, b), map2(le_signed);
    Inst::Compare { op: CmpOp::Lt, ty: U32, d, a, b }
    | Inst::Compare { op: CmpOp::Gt, ty: U32, d, a: b, b: a }
    => Lt(d, a, b), map2(lt);
    Inst::Compare { op: CmpOp::Le, ty: U32, d, a, b }
    | Inst::Compare { op: CmpOp::Ge, ty: U32, d, a: b, b: a }
    => Le(d, a, b), map2(le);
    Inst::Compare { op: CmpOp::Eq, ty: F32, d, a, b } => EqFloat(d, a, b), map2(eq_float);
    Inst::Compare { op: CmpOp::Ne, ty: F32, d, a, b } => NeFloat(d, a, b), map2(ne_float);
    Inst::Compare { op: CmpOp::Lt, ty: F32, d, a, b }
    | Inst::Compare { op: CmpOp::Gt, ty: F32, d, a: b, b: a }
    => LtFloat(d, a, b), map2(lt_float);
    Inst::Compare { op: CmpOp::Le, ty: F32, d, a, b }
    | Inst::Compare { op: CmpOp::Ge, ty: F32, d, a: b, b: a }
    => LeFloat(d, a, b), map2(le_float);

    Inst::Select { wide: false, d, cond, a, b } => Select(d, cond, a, b), map3(select);
    Inst::Convert { from: I32, to: F32, d, a } => IntToFloat(d, a), map1(int_to_float);
    Inst::Convert { from: I32, to: I64 | U64, d, a } => SignExtend(d, a), rows(sign_extend);
}

/// Executes a shift whose count is to be looked at, if all lanes shift by less than 32. (The inactive lanes
/// may say no; then the slow path looks again.)
#[inline(always)]
pub(crate) fn shift(r: &mut Registers, m: &Mask, op: Op) -> bool {
    let (Op::ShlIfWithin(d, a, b) | Op::ShrIfWithin(d, a, b) | Op::ShrSignedIfWithin(d, a, b)) = op
    else {
        return false;
    };
    if r.row(b).iter().fold(0, |all, count| all | count) >= 32 {
        return false;
    }
    match op {
        Op::ShlIfWithin(..) => r.map2(m, d, a, b, lanes::shl),
        Op::ShrIfWithin(..) => r.map2(m, d, a, b, lanes::shr),
        _ => r.map2(m, d, a, b, lanes::shr_signed),
    }
    true
}

/// Executes operations from `pc` on while they are arithmetic with a fast path. Gives the first
/// that is not, where `pc` is then, or `None` at the end of the operations.
#[inline(always)]
pub(crate) fn run<const FMA: bool>(
    r: &mut Registers,
    m: &Mask,
    ops: &[Op],
    pc: &mut u32,
) -> Option<Op> {
    // An index while the loop runs, so that no operation converts it.
    let mut at = *pc as usize;
    let stopped = loop {
        match ops.get(at) {
            Some(&op) if execute::<FMA>(r, m, op) => at += 1,
            other => break other.copied(),
        }
    };
    *pc = at as u32;
    stopped
}
