//! Built-in functions to instructions.

use super::kernel::{Lower, Lowered};
use crate::diagnostic::Span;
use crate::isa::{AtomicOp, BarrierKind, Inst, Print, PrintArg, Reg, Ty};
use crate::sema::tree::{Expr, ExprKind, Intrinsic};
use crate::sema::types::Type;

impl Lower<'_> {
    /// The value, if there is one. `dropped`: nobody wants it.
    pub(super) fn intrinsic(
        &mut self,
        kind: &Intrinsic,
        args: &[Expr],
        ty: &Type,
        into: Option<Reg>,
        dropped: bool,
        span: Span,
    ) -> Lowered<Option<Reg>> {
        if let Intrinsic::Atomic(op, scope) = kind {
            return self.atomic(*op, *scope, args, into, dropped, span);
        }
        if let Intrinsic::Print(format) = kind {
            return self.print(format, None, args, span);
        }
        if let Intrinsic::DeviceLaunch(number) = kind {
            return self.print(&[], Some(*number), args, span);
        }
        let mut regs = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            let offered = i == 1 && matches!(kind, Intrinsic::Shuffle(_));
            regs.push(if offered { self.offered(arg, None)? } else { self.value(arg)? });
        }
        let result = self.types.scalar(ty);
        let wide = result.is_some_and(|p| p.size() == 8);
        let operand = args.first().map_or(Ty::I32, |a| self.ty_of(&a.ty));
        let reg = |i: usize| regs.get(i).copied().unwrap_or(0);
        match kind {
            Intrinsic::Unary(op) => {
                let d = self.target(into, wide);
                self.code.emit(span, Inst::Unary { op: *op, ty: operand, d, a: reg(0) });
                return Ok(Some(d));
            }
            Intrinsic::Binary(op) => {
                let d = self.target(into, wide);
                self.code.emit_exact(
                    span,
                    Inst::Binary { op: *op, ty: operand, d, a: reg(0), b: reg(1) },
                );
                return Ok(Some(d));
            }
            Intrinsic::Fma => {
                let d = self.target(into, wide);
                self.code.emit(span, Inst::Fma { ty: operand, d, a: reg(0), b: reg(1), c: reg(2) });
                return Ok(Some(d));
            }
            Intrinsic::Math(function) => {
                let d = self.target(into, wide);
                let operands = [0, 1, 2, 3].map(|i| regs.get(i).copied().unwrap_or(reg(0)));
                let inst = Inst::Math { function: *function, ty: operand, d, operands };
                self.code.emit(span, inst);
                return Ok(Some(d));
            }
            Intrinsic::Barrier(BarrierKind::Plain) => {
                self.code.emit(span, Inst::Barrier { kind: BarrierKind::Plain, d: 0, pred: 0 });
            }
            Intrinsic::Barrier(kind) => {
                let d = self.target(into, false);
                self.code.emit(span, Inst::Barrier { kind: *kind, d, pred: reg(0) });
                return Ok(Some(d));
            }
            Intrinsic::SyncWarp => self.code.emit(span, Inst::SyncWarp { mask: reg(0) }),
            Intrinsic::Clock => {
                let d = self.target(into, true);
                self.code.emit(span, Inst::Clock { d });
                return Ok(Some(d));
            }
            Intrinsic::Malloc => {
                let d = self.target(into, true);
                self.code.emit(span, Inst::Malloc { d, a: reg(0) });
                return Ok(Some(d));
            }
            Intrinsic::Free => self.code.emit(span, Inst::Free { a: reg(0) }),
            Intrinsic::ActiveMask => {
                let d = self.target(into, false);
                self.code.emit(span, Inst::ActiveMask { d });
                return Ok(Some(d));
            }
            Intrinsic::Shuffle(kind) => {
                let d = self.target(into, wide);
                let inst = Inst::Shuffle {
                    kind: *kind,
                    wide,
                    d,
                    a: reg(1),
                    lane: reg(2),
                    width: reg(3),
                    mask: reg(0),
                };
                self.code.emit(span, inst);
                return Ok(Some(d));
            }
            Intrinsic::Vote(kind) => {
                let d = self.target(into, false);
                self.code.emit(span, Inst::Vote { kind: *kind, d, pred: reg(1), mask: reg(0) });
                return Ok(Some(d));
            }
            Intrinsic::Reduce(op) => {
                let ty = args.get(1).map_or(Ty::I32, |a| self.ty_of(&a.ty));
                let d = self.target(into, false);
                self.code.emit(span, Inst::WarpReduce { op: *op, ty, d, a: reg(1), mask: reg(0) });
                return Ok(Some(d));
            }
            Intrinsic::MatchAny | Intrinsic::MatchAll => {
                let all = *kind == Intrinsic::MatchAll;
                let wide = args.get(1).is_some_and(|a| self.ty_of(&a.ty).slots() == 2);
                let d = self.target(into, false);
                let pred = self.code.registers(1);
                self.code.emit(span, Inst::Match { all, wide, d, pred, a: reg(1), mask: reg(0) });
                if all {
                    let place = super::place::Place::at(reg(2));
                    self.store_value(
                        &place,
                        &crate::syntax::ast::Prim::Int.into(),
                        pred,
                        span,
                        false,
                    )?;
                }
                return Ok(Some(d));
            }
            Intrinsic::Fence(scope) => self.code.emit(span, Inst::Fence { scope: *scope }),
            Intrinsic::Trap(words) => self.trap(words.clone(), span),
            Intrinsic::Assert => {
                let text = args.first().map_or("", |a| self.sources.text(a.span));
                let words = format!("assertion failed: {text}");
                let fine = self.code.label();
                self.code.emit(span, Inst::Branch { cond: reg(0), when: true, target: fine });
                self.trap(words, span);
                self.code.bind(fine);
            }
            Intrinsic::Nothing
            | Intrinsic::Atomic(..)
            | Intrinsic::Print(_)
            | Intrinsic::DeviceLaunch(_) => {}
        }
        Ok(None)
    }

    pub(super) fn trap(&mut self, words: String, span: Span) {
        self.traps.push(words);
        self.code.emit(span, Inst::Trap { trap: self.traps.len() as u16 - 1 });
        self.code.emit(span, Inst::Exit);
    }

    fn atomic(
        &mut self,
        op: AtomicOp,
        scope: crate::isa::Scope,
        args: &[Expr],
        into: Option<Reg>,
        dropped: bool,
        span: Span,
    ) -> Lowered<Option<Reg>> {
        let [pointer, operands @ ..] = args else { return Ok(None) };
        // Sixteen bits are compared and swapped as bits, whatever they mean.
        let two_bytes = |a: &Expr| self.types.scalar(&a.ty).is_some_and(|p| p.size() == 2);
        let ty = match operands.first() {
            Some(a) if op == AtomicOp::Cas && two_bytes(a) => Ty::F16,
            Some(a) => self.ty_of(&a.ty),
            None => Ty::I32,
        };
        let mut regs = Vec::new();
        for operand in operands {
            regs.push(self.value(operand)?);
        }
        let addr = self.pointer(pointer)?;
        let a = regs.first().copied().unwrap_or(0);
        let b = regs.get(1).copied().unwrap_or(a);
        let d = if dropped { None } else { Some(self.target(into, ty.slots() == 2)) };
        self.code.emit(span, Inst::Atomic { op, ty, scope, d, a, b, addr });
        Ok(d)
    }

    /// `printf`, or a launch of [`crate::sema::tree::Program::device_launched`].
    fn print(
        &mut self,
        format: &[u8],
        launch: Option<u32>,
        args: &[Expr],
        span: Span,
    ) -> Lowered<Option<Reg>> {
        let mut out = Vec::new();
        for arg in args {
            if let ExprKind::Text(text) = &arg.kind {
                out.push(PrintArg::Text(text.to_vec()));
                continue;
            }
            let reg = self.value(arg)?;
            let ty = self.ty_of(&arg.ty);
            out.push(PrintArg::Value(ty, reg));
        }
        self.code.prints.push(Print { format: format.to_vec(), args: out, launch });
        self.code.emit(span, Inst::Print { print: self.code.prints.len() as u16 - 1 });
        Ok(Some(self.constant(0, false)))
    }
}
