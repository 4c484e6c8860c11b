//! Lowers built-in functions (intrinsics) to instructions.

use super::kernel::{Lower, Lowered};
use super::location::Location;
use crate::diagnostic::{Diagnostic, Span};
use crate::isa::{AtomicOp, BarrierKind, Inst, Preload, Print, PrintArg, Reg, Ty};
use crate::sema::tree::{Expr, ExprKind, Intrinsic};
use crate::sema::types::Type;
use crate::syntax::ast::Prim;

/// The evaluated operands of one intrinsic.
struct Operands {
    regs: Vec<Reg>,
    types: Vec<Ty>,
    /// Whether the result has 64 bits.
    wide: bool,
    /// The register that the result should end in.
    into: Option<Reg>,
    span: Span,
}

impl Operands {
    fn reg(&self, i: usize) -> Reg {
        self.regs.get(i).copied().unwrap_or(0)
    }

    fn ty(&self, i: usize) -> Ty {
        self.types.get(i).copied().unwrap_or(Ty::I32)
    }
}

impl Lower<'_> {
    /// Emits an intrinsic, and returns its result if it has one. `dropped`: the result is unused.
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
        if let Intrinsic::MatrixMultiply(_) | Intrinsic::LoadMatrix(..) = kind {
            self.matrix(kind, args, span)?;
            return Ok(None);
        }
        let mut regs = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            let shuffled = i == 1 && matches!(kind, Intrinsic::Shuffle(_));
            let later: Vec<&Expr> = args[i + 1..].iter().collect();
            regs.push(if shuffled {
                self.value_unchecked(arg, None)?
            } else {
                self.value_before(arg, &later)?
            });
        }
        let operands = Operands {
            types: args.iter().map(|arg| self.ty_of(&arg.ty)).collect(),
            wide: self.types.scalar(ty).is_some_and(|p| p.size() == 8),
            regs,
            into,
            span,
        };
        match kind {
            Intrinsic::Unary(_) | Intrinsic::Binary(_) | Intrinsic::Fma | Intrinsic::Math(_) => {
                Ok(Some(self.arithmetic(kind, &operands)))
            }
            Intrinsic::SyncWarp
            | Intrinsic::ActiveMask
            | Intrinsic::Shuffle(_)
            | Intrinsic::Vote(_)
            | Intrinsic::Reduce(_)
            | Intrinsic::MatchAny
            | Intrinsic::MatchAll => self.warp_function(kind, &operands),
            Intrinsic::Assert => {
                let condition = args.first().map_or("", |a| self.sources.text(a.span));
                let passed = self.code.label();
                let cond = operands.reg(0);
                self.code.emit(span, Inst::Branch { cond, when: true, target: passed });
                self.trap(format!("assertion failed: {condition}"), span);
                self.code.bind(passed);
                Ok(None)
            }
            _ => Ok(self.system_function(kind, &operands)),
        }
    }

    /// Functions that compute their result from their operands alone.
    fn arithmetic(&mut self, kind: &Intrinsic, operands: &Operands) -> Reg {
        let d = self.target(operands.into, operands.wide);
        let (ty, reg) = (operands.ty(0), |i| operands.reg(i));
        match kind {
            Intrinsic::Binary(op) => {
                let inst = Inst::Binary { op: *op, ty, d, a: reg(0), b: reg(1) };
                self.code.emit_uncontracted(operands.span, inst);
                return d;
            }
            Intrinsic::Unary(op) => {
                self.code.emit(operands.span, Inst::Unary { op: *op, ty, d, a: reg(0) });
            }
            Intrinsic::Math(function) => {
                let operand = |i| operands.regs.get(i).copied().unwrap_or(reg(0));
                let all = [0, 1, 2, 3].map(operand);
                let inst = Inst::Math { function: *function, ty, d, operands: all };
                self.code.emit(operands.span, inst);
            }
            _ => {
                let inst = Inst::Fma { ty, d, a: reg(0), b: reg(1), c: reg(2) };
                self.code.emit(operands.span, inst);
            }
        }
        d
    }

    /// Functions of a warp: synchronisation, shuffles, votes, reductions, matches.
    fn warp_function(&mut self, kind: &Intrinsic, operands: &Operands) -> Lowered<Option<Reg>> {
        let Operands { into, span, .. } = *operands;
        let (mask, a) = (operands.reg(0), operands.reg(1));
        if *kind == Intrinsic::SyncWarp {
            self.code.emit(span, Inst::SyncWarp { mask });
            return Ok(None);
        }
        let shuffles = matches!(kind, Intrinsic::Shuffle(_));
        let d = self.target(into, shuffles && operands.wide);
        match kind {
            Intrinsic::Shuffle(kind) => {
                let (lane, width) = (operands.reg(2), operands.reg(3));
                let wide = operands.wide;
                self.code.emit(span, Inst::Shuffle { kind: *kind, wide, d, a, lane, width, mask });
            }
            Intrinsic::Vote(kind) => {
                self.code.emit(span, Inst::Vote { kind: *kind, d, pred: a, mask });
            }
            Intrinsic::Reduce(op) => {
                let ty = operands.ty(1);
                self.code.emit(span, Inst::WarpReduce { op: *op, ty, d, a, mask });
            }
            Intrinsic::MatchAny | Intrinsic::MatchAll => {
                let all = *kind == Intrinsic::MatchAll;
                let wide = operands.ty(1).slots() == 2;
                let pred = self.code.registers(1);
                self.code.emit(span, Inst::Match { all, wide, d, pred, a, mask });
                if all {
                    let to = Location::at(operands.reg(2));
                    self.store_value(&to, &Prim::Int.into(), pred, span, false)?;
                }
            }
            _ => self.code.emit(span, Inst::ActiveMask { d }),
        }
        Ok(Some(d))
    }

    /// Functions with an effect outside the warp's registers: barriers, fences, heap, clock, traps.
    fn system_function(&mut self, kind: &Intrinsic, operands: &Operands) -> Option<Reg> {
        let Operands { into, span, .. } = *operands;
        let a = operands.reg(0);
        match kind {
            Intrinsic::Barrier(kind @ BarrierKind::Plain) => {
                self.code.emit(span, Inst::Barrier { kind: *kind, d: 0, pred: 0 });
            }
            Intrinsic::Barrier(kind) => {
                let d = self.target(into, false);
                self.code.emit(span, Inst::Barrier { kind: *kind, d, pred: a });
                return Some(d);
            }
            Intrinsic::ConstantEvaluated => {
                let none = self.code.preload(Preload::Const { bits: 0, wide: false }, false);
                return Some(none);
            }
            Intrinsic::Clock => {
                let d = self.target(into, true);
                self.code.emit(span, Inst::Clock { d });
                return Some(d);
            }
            Intrinsic::Malloc => {
                let d = self.target(into, true);
                self.code.emit(span, Inst::Malloc { d, a });
                return Some(d);
            }
            Intrinsic::Free => self.code.emit(span, Inst::Free { a }),
            Intrinsic::Fence(scope) => self.code.emit(span, Inst::Fence { scope: *scope }),
            Intrinsic::Trap(message) => self.trap(message.clone(), span),
            // `Nothing`, and the kinds that `intrinsic` has handled already.
            _ => {}
        }
        None
    }

    /// Stops the kernel with an error.
    pub(super) fn trap(&mut self, message: String, span: Span) {
        self.traps.push(message);
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
        // A 16-bit compare-and-swap compares bits, so every 16-bit type is lowered as F16.
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

    /// `printf`, or a launch from the device: see
    /// [`crate::sema::tree::Program::device_launched`].
    fn print(
        &mut self,
        format: &[u8],
        launch: Option<u32>,
        args: &[Expr],
        span: Span,
    ) -> Lowered<Option<Reg>> {
        let Ok(print) = u16::try_from(self.code.prints.len()) else {
            return self.unsupported(span, "more than 65536 calls of `printf` in a kernel");
        };
        let mut out = Vec::new();
        for (arg, letter) in args.iter().zip(letters(format, args.len())) {
            if let ExprKind::Text(text) = &arg.kind {
                out.push(PrintArg::Text(text.to_vec()));
                continue;
            }
            if letter == b's' && launch.is_none() {
                if arg.ty.pointee().is_none() {
                    let text = self.types.spell(&arg.ty);
                    let message =
                        format!("`%s` prints a string, and this value of the format is `{text}`");
                    let number = arg.ty.is_arithmetic();
                    let letter = if arg.ty.is_integer() { 'd' } else { 'f' };
                    let help = match number {
                        true => format!("print it with `%{letter}`, or pass a string"),
                        false => "pass a `const char*`".to_owned(),
                    };
                    let diagnostic = Diagnostic::error("printf", arg.span, message);
                    return self.error(diagnostic.with_help(help));
                }
                out.push(PrintArg::Address(self.value(arg)?));
                continue;
            }
            let reg = self.value(arg)?;
            let ty = self.ty_of(&arg.ty);
            out.push(PrintArg::Value(ty, reg));
        }
        self.code.prints.push(Print { format: format.to_vec(), args: out, launch });
        self.code.emit(span, Inst::Print { print });
        // It returns how many values it was given.
        let given = if launch.is_none() { args.len() as u64 } else { 0 };
        Ok(Some(self.constant(given, false)))
    }
}

/// For each of `count` arguments of a format, the letter of its conversion, or `*`.
fn letters(format: &[u8], count: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let mut bytes = format.iter().copied();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            continue;
        }
        for byte in bytes.by_ref() {
            match byte {
                b'%' => break,
                b'*' => out.push(byte),
                b'l' | b'h' | b'z' | b'j' | b't' => {}
                _ if byte.is_ascii_alphabetic() => {
                    out.push(byte);
                    break;
                }
                _ => {}
            }
        }
    }
    out.resize(count, b'd');
    out
}
