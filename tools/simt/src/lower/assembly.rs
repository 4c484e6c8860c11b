//! Lowers inline assembly: evaluates the operands of an `asm` statement, and offers the builder to
//! the crate that knows PTX.
//!
//! An output that is a variable in registers is written in place; any other is written to a register
//! of its own and stored afterwards.

use super::kernel::{Lower, Lowered};
use super::location::Location;
use crate::diagnostic::Span;
use crate::isa::{Inst, MemTy, Pc, Preload, Reg};
use crate::reported::Reported;
use crate::sema::tree::{Asm, AsmOperand, Expr};
use simt_ptx::{Argument, Constraint, Target, Value};

/// An output, and what is left to do for it.
struct Output<'e> {
    place: &'e Expr,
    location: Location,
    reg: Reg,
}

impl Lower<'_> {
    pub(super) fn assembly(&mut self, asm: &Asm) -> Lowered<()> {
        let mut arguments: Vec<Argument> = Vec::new();
        let mut outputs = Vec::new();
        for operand in asm.operands.iter().filter(|operand| operand.output) {
            let output = self.asm_output(operand)?;
            arguments.push(argument(operand, output.reg));
            outputs.push(output);
        }
        for operand in asm.operands.iter().filter(|operand| !operand.output) {
            if let Some(value) = operand.value.as_int()
                && operand.constraint == Constraint::Immediate
            {
                let value = Value::Constant(value as i64);
                arguments.push(Argument { value, ..argument(operand, 0) });
                continue;
            }
            let mut reg = self.value(&operand.value)?;
            if operand.constraint == Constraint::Half {
                reg = self.narrowed(reg, MemTy::U16, asm.span);
            } else if outputs.iter().any(|output| output.reg == reg) {
                reg = self.copied(reg, operand.constraint, asm.span);
            }
            arguments.push(argument(operand, reg));
        }
        if let Err(mut diagnostic) = asm.program.lower(&arguments, self) {
            diagnostic.span = self.code.user_span(diagnostic.span);
            self.diagnostics.push(*diagnostic);
            return Err(Reported);
        }
        for output in outputs {
            self.store_output(&output, asm.span)?;
        }
        Ok(())
    }

    /// Where an output is, and the register that the text writes.
    fn asm_output<'e>(&mut self, operand: &'e AsmOperand) -> Lowered<Output<'e>> {
        let (place, constraint) = (&operand.value, operand.constraint);
        let location = self.location(place)?;
        if operand.input {
            self.check_defined(place);
        }
        if let (Location::Reg(reg), false) = (location, constraint == Constraint::Half) {
            return Ok(Output { place, location, reg });
        }
        let reg = self.code.registers(if constraint.bytes() == 8 { 2 } else { 1 });
        if operand.input {
            let a = self.load(&location, &place.ty, None, place.span)?;
            let inst = match constraint {
                Constraint::Half => Inst::Narrow { to: MemTy::U16, d: reg, a },
                _ => Inst::Mov { wide: constraint.bytes() == 8, d: reg, a },
            };
            self.code.emit(place.span, inst);
        }
        Ok(Output { place, location, reg })
    }

    fn store_output(&mut self, output: &Output<'_>, span: Span) -> Lowered<()> {
        let Output { place, location, reg } = *output;
        if location != Location::Reg(reg) {
            let memory = self.types.scalar(&place.ty).map(|prim| prim.memory());
            let from = match memory {
                Some(to @ (MemTy::I16 | MemTy::U16)) => self.narrowed(reg, to, span),
                _ => reg,
            };
            let volatile = Self::is_volatile(&place.ty);
            self.store_value(&location, &place.ty, from, place.span, volatile)?;
        }
        self.mark_defined(place);
        Ok(())
    }

    fn narrowed(&mut self, a: Reg, to: MemTy, span: Span) -> Reg {
        let d = self.code.registers(1);
        self.code.emit(span, Inst::Narrow { to, d, a });
        d
    }

    fn copied(&mut self, a: Reg, constraint: Constraint, span: Span) -> Reg {
        let wide = constraint.bytes() == 8;
        let d = self.code.registers(if wide { 2 } else { 1 });
        self.code.emit(span, Inst::Mov { wide, d, a });
        d
    }
}

fn argument(operand: &AsmOperand, reg: Reg) -> Argument {
    Argument { constraint: operand.constraint, value: Value::Register(reg), output: operand.output }
}

impl Target for Lower<'_> {
    fn emit(&mut self, span: Span, inst: Inst, contract: bool) {
        if contract {
            self.code.emit(span, inst);
        } else {
            self.code.emit_uncontracted(span, inst);
        }
    }

    fn registers(&mut self, count: u16) -> Reg {
        self.code.registers(count)
    }

    fn preload(&mut self, preload: Preload, wide: bool) -> Reg {
        self.code.preload(preload, wide)
    }

    fn label(&mut self) -> Pc {
        self.code.label()
    }

    fn bind(&mut self, label: Pc) {
        self.code.bind(label);
    }

    fn barrier(&mut self) -> u16 {
        self.code.barrier()
    }

    fn trap(&mut self, message: &str) -> u16 {
        let known = self.traps.iter().position(|trap| trap == message);
        known.unwrap_or_else(|| {
            self.traps.push(message.to_owned());
            self.traps.len() - 1
        }) as u16
    }

    fn carry(&mut self) -> Reg {
        match self.carry {
            Some(reg) => reg,
            None => *self.carry.insert(self.code.registers(1)),
        }
    }
}
