//! Compositions: emit one instruction of the machine into a new register, and return it.
//!
//! What the machine has no instruction for is composed of those that it has.

use crate::lower::Lowering;
use crate::types::Type;
use simt_machine::isa::{BinOp, CmpOp, Inst, Math, MemTy, Reg, Ty, UnOp};

impl Lowering<'_> {
    fn result(&mut self, ty: Ty) -> Reg {
        self.target.registers(ty.slots())
    }

    /// A constant of 32 bits.
    pub(crate) fn word(&mut self, bits: u32) -> Reg {
        self.constant(bits.into(), false)
    }

    /// `a op b`; the count of a shift has 32 bits.
    pub(crate) fn binary(&mut self, op: BinOp, ty: Ty, a: Reg, b: Reg) -> Reg {
        let d = self.result(ty);
        self.emit(Inst::Binary { op, ty, d, a, b });
        d
    }

    /// `a op constant`, in 32 bits.
    pub(crate) fn binary_with(&mut self, op: BinOp, ty: Ty, a: Reg, b: u32) -> Reg {
        let b = self.word(b);
        self.binary(op, ty, a, b)
    }

    pub(crate) fn unary(&mut self, op: UnOp, ty: Ty, a: Reg) -> Reg {
        let d = if op.is_count() { self.target.registers(1) } else { self.result(ty) };
        self.emit(Inst::Unary { op, ty, d, a });
        d
    }

    /// `a * b + c`, rounded once.
    pub(crate) fn fma(&mut self, ty: Ty, a: Reg, b: Reg, c: Reg) -> Reg {
        let d = self.result(ty);
        self.emit(Inst::Fma { ty, d, a, b, c });
        d
    }

    /// 0 or 1.
    pub(crate) fn compare(&mut self, op: CmpOp, ty: Ty, a: Reg, b: Reg) -> Reg {
        let d = self.temporary(Type::PRED);
        self.emit(Inst::Compare { op, ty, d, a, b });
        d
    }

    /// `cond ? a : b`.
    pub(crate) fn select(&mut self, wide: bool, cond: Reg, a: Reg, b: Reg) -> Reg {
        let d = self.target.registers(if wide { 2 } else { 1 });
        self.emit(Inst::Select { wide, d, cond, a, b });
        d
    }

    pub(crate) fn converted(&mut self, from: Ty, to: Ty, a: Reg) -> Reg {
        if from == to {
            return a;
        }
        let d = self.result(to);
        self.emit(Inst::Convert { from, to, d, a });
        d
    }

    /// The low 8 or 16 bits, extended.
    pub(crate) fn narrow(&mut self, to: MemTy, a: Reg) -> Reg {
        let d = self.target.registers(1);
        self.emit(Inst::Narrow { to, d, a });
        d
    }

    /// A function of the mathematics library, in `F32` or `F64`.
    pub(crate) fn math(&mut self, name: &str, ty: Ty, operands: &[Reg]) -> Reg {
        let d = self.result(ty);
        let operand = |i: usize| operands.get(i).or(operands.first()).copied().unwrap_or(d);
        let all = [0, 1, 2, 3].map(operand);
        if let Some(function) = Math::named(name) {
            self.emit(Inst::Math { function, ty, d, operands: all });
        }
        d
    }

    /// The two halves of 32 bits, each zero-extended.
    pub(crate) fn halves(&mut self, a: Reg) -> [Reg; 2] {
        [self.narrow(MemTy::U16, a), self.binary_with(BinOp::Shr, Ty::U32, a, 16)]
    }

    /// 32 bits of two halves; only their low 16 bits count.
    pub(crate) fn packed(&mut self, [low, high]: [Reg; 2]) -> Reg {
        let low = self.narrow(MemTy::U16, low);
        let high = self.binary_with(BinOp::Shl, Ty::U32, high, 16);
        self.binary(BinOp::Or, Ty::U32, low, high)
    }

    /// The low and the high word of 64 bits.
    pub(crate) fn words(&mut self, a: Reg) -> [Reg; 2] {
        let high = self.binary_with(BinOp::Shr, Ty::U64, a, 32);
        [self.converted(Ty::U64, Ty::U32, a), self.converted(Ty::U64, Ty::U32, high)]
    }

    /// 64 bits of two words.
    pub(crate) fn joined(&mut self, [low, high]: [Reg; 2]) -> Reg {
        let (low, high) =
            (self.converted(Ty::U32, Ty::U64, low), self.converted(Ty::U32, Ty::U64, high));
        let high = self.binary_with(BinOp::Shl, Ty::U64, high, 32);
        self.binary(BinOp::Or, Ty::U64, low, high)
    }
}
