//! Branches on conditions (with short-circuit evaluation), and built-in functions.

use super::{Label, Lower, Lowered};
use crate::bytecode::{Inst, Reg};
use simt::isa::Ty;
use simt::sema::tree::{Expr, ExprKind, Intrinsic};

impl Lower<'_, '_> {
    /// Jumps to `label` if the condition is `when`.
    pub(super) fn branch(&mut self, cond: &Expr, when: bool, label: Label) -> Lowered<()> {
        match &cond.kind {
            ExprKind::Not(inner) => self.branch(inner, !when, label),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                let and = matches!(cond.kind, ExprKind::And(..));
                if and == when {
                    let past = self.label();
                    self.branch(a, !when, past)?;
                    self.branch(b, when, label)?;
                    self.bind(past);
                    return Ok(());
                }
                self.branch(a, when, label)?;
                self.branch(b, when, label)
            }
            ExprKind::Int(v) => {
                if (*v != 0) == when {
                    self.emit(Inst::Jump { to: label });
                }
                Ok(())
            }
            ExprKind::Compare(op, a, b) => {
                let ty = self.ty(&a.ty);
                let small = self.small(b, ty);
                let x = self.value_kept(a, b)?;
                match small {
                    Some(b) => {
                        self.emit(Inst::BranchConst { op: *op, ty, when, a: x, b, to: label });
                    }
                    None => {
                        let b = self.value(b)?;
                        self.emit(Inst::BranchCompare { op: *op, ty, when, a: x, b, to: label });
                    }
                }
                Ok(())
            }
            _ => {
                let cond = self.value(cond)?;
                self.emit(Inst::Branch { cond, when, to: label });
                Ok(())
            }
        }
    }

    pub(super) fn intrinsic(
        &mut self,
        kind: &Intrinsic,
        args: &[Expr],
        into: Option<Reg>,
        e: &Expr,
    ) -> Lowered<Reg> {
        if let Intrinsic::Print(format) = kind {
            return self.print(format, args, e);
        }
        let mut regs = Vec::new();
        for arg in args {
            if !self.is_scalar(&arg.ty) {
                self.effect(arg)?;
                continue;
            }
            regs.push(self.value(arg)?);
        }
        let reg = |i: usize| regs.get(i).copied().unwrap_or(0);
        let ty = args.first().map_or(Ty::I32, |a| self.ty(&a.ty));
        self.span = e.span;
        match kind {
            Intrinsic::Unary(op) => {
                let d = self.target(into)?;
                self.emit(Inst::Unary { op: *op, ty, d, a: reg(0) });
                Ok(d)
            }
            Intrinsic::Binary(op) => {
                let d = self.target(into)?;
                self.emit(Inst::Binary { op: *op, ty, d, a: reg(0), b: reg(1) });
                Ok(d)
            }
            Intrinsic::Fma => {
                let d = self.target(into)?;
                self.emit(Inst::Fma { ty, d, a: reg(0), b: reg(1), c: reg(2) });
                Ok(d)
            }
            Intrinsic::Math(function) => {
                let d = self.target(into)?;
                let operands = [0, 1, 2, 3].map(|i| regs.get(i).copied().unwrap_or(reg(0)));
                self.emit(Inst::Math { function: *function, ty, d, operands });
                Ok(d)
            }
            Intrinsic::Nothing => Ok(reg(0)),
            Intrinsic::ConstantEvaluated => self.constant(0, into),
            Intrinsic::Trap(text) => {
                let text = self.unit.text(text.as_bytes());
                self.emit(Inst::Abort { text, code: 134 });
                Ok(0)
            }
            Intrinsic::Assert => {
                let end = self.label();
                self.emit(Inst::Branch { cond: reg(0), when: true, to: end });
                let text = self.unit.text(b"assertion failed");
                self.emit(Inst::Abort { text, code: 134 });
                self.bind(end);
                Ok(0)
            }
            _ => self.unsupported(e.span, "a function that only kernels have, in host code"),
        }
    }
}
