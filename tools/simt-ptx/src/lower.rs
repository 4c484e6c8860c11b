//! Lowers the statements of an `asm`: scopes, labels, guards, and the operands of instructions.
//!
//! A guarded instruction (`@p`) is a branch around it. Lanes that take different ways reconverge after
//! it. Branches to labels stay inside the statement: where it has one, its lanes reconverge at its end.

use crate::error::{Lowered, error, error_help, nearest};
use crate::instructions;
use crate::modifiers::Modifiers;
use crate::scope::{Register, Scopes, register_type};
use crate::special_registers;
use crate::syntax::{Instruction, Operand, OperandKind, Statement};
use crate::target::{Argument, Constraint, Target, Value};
use crate::types::{Class, Type};
use simt_machine::diagnostic::Span;
use simt_machine::isa::{Addr, Index, Inst, MemTy, Pc, Preload, Reg};

/// Emits the statements.
pub(crate) fn lower(
    statements: &[Statement],
    span: Span,
    arguments: &[Argument],
    target: &mut dyn Target,
) -> Lowered<()> {
    let mut lowering = Lowering { arguments, target, scopes: Scopes::default(), span };
    if !has_label(statements) {
        return lowering.block(statements);
    }
    let region = lowering.open_region();
    lowering.block(statements)?;
    lowering.close_region(region);
    Ok(())
}

fn has_label(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Label(_) => true,
        Statement::Block(body) => has_label(body),
        _ => false,
    })
}

/// A state space of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    Generic,
    Global,
    /// Shared memory, of the block or another of its cluster: an address has 32 bits.
    Shared,
    Local,
    Constant,
}

/// The state of lowering one `asm` statement.
pub(crate) struct Lowering<'a> {
    arguments: &'a [Argument],
    pub(crate) target: &'a mut dyn Target,
    scopes: Scopes,
    /// The instruction being lowered.
    pub(crate) span: Span,
}

/// An open convergence region.
pub(crate) struct Region {
    barrier: u16,
    end: Pc,
}

impl Lowering<'_> {
    fn block(&mut self, body: &[Statement]) -> Lowered<()> {
        self.scopes.open(body, self.target)?;
        for statement in body {
            match statement {
                Statement::Block(inner) => self.block(inner)?,
                Statement::Registers { ty, names } => {
                    let ty = register_type(ty)?;
                    for declared in names {
                        let Some(count) = declared.count else {
                            self.scopes.declare(&declared.name, "", ty, self.target)?;
                            continue;
                        };
                        for number in 0..count {
                            let suffix = number.to_string();
                            self.scopes.declare(&declared.name, &suffix, ty, self.target)?;
                        }
                    }
                }
                Statement::Label(name) => {
                    if let Some(label) = self.scopes.label(&name.text) {
                        self.target.bind(label);
                    }
                }
                Statement::Instruction(instruction) => self.instruction(instruction)?,
            }
        }
        self.scopes.close();
        Ok(())
    }

    fn instruction(&mut self, instruction: &Instruction) -> Lowered<()> {
        self.span = instruction.span;
        let entry = instructions::find(instruction)?;
        let modifiers = Modifiers::new(instruction, entry.name);
        let Some((guard, negated)) = &instruction.guard else {
            return (entry.lower)(self, instruction, modifiers);
        };
        let cond = self.predicate(guard)?;
        if instruction.opcode.text == "bra" {
            return instructions::branch(self, instruction, modifiers, Some((cond, !negated)));
        }
        let skip = self.open_region();
        self.emit(Inst::Branch { cond, when: *negated, target: skip.end });
        (entry.lower)(self, instruction, modifiers)?;
        self.close_region(skip);
        Ok(())
    }

    /// Opens a convergence region.
    pub(crate) fn open_region(&mut self) -> Region {
        let (barrier, end) = (self.target.barrier(), self.target.label());
        self.emit(Inst::Bssy { barrier, at: end });
        Region { barrier, end }
    }

    /// Ends it: the lanes of its start wait for each other here.
    pub(crate) fn close_region(&mut self, region: Region) {
        self.target.bind(region.end);
        self.emit(Inst::Bsync { barrier: region.barrier });
    }

    /// Emits an instruction.
    pub(crate) fn emit(&mut self, inst: Inst) {
        self.target.emit(self.span, inst, false);
    }

    /// A new register for a value of this type.
    pub(crate) fn temporary(&mut self, ty: Type) -> Reg {
        self.target.registers(ty.slots())
    }

    /// A register that holds this constant of 32 bits, or of 64.
    pub(crate) fn constant(&mut self, bits: u64, wide: bool) -> Reg {
        let bits = if wide { bits } else { bits & 0xffff_ffff };
        self.target.preload(Preload::Const { bits, wide }, wide)
    }

    /// The label that an operand names.
    pub(crate) fn label(&self, operand: &Operand) -> Lowered<Pc> {
        if let OperandKind::Name(name) = &operand.kind {
            return match self.scopes.label(name) {
                Some(label) => Ok(label),
                None => error(operand.span, format!("no label `{name}` stands in this `asm`")),
            };
        }
        error(operand.span, "a branch needs a label")
    }

    /// A source: a register with the operand's value. 16-bit integers are extended to 32 as the type
    /// says.
    pub(crate) fn source(&mut self, operand: &Operand, ty: Type) -> Lowered<Reg> {
        match &operand.kind {
            OperandKind::Int(value) => self.literal(*value, ty, operand.span),
            OperandKind::Negated(inner) => match &inner.kind {
                OperandKind::Int(value) => self.literal(value.wrapping_neg(), ty, operand.span),
                OperandKind::Float(value) => {
                    let bits = float_bits(*value, ty, operand.span)?;
                    let bits = bits ^ (1 << (ty.bits - 1));
                    Ok(self.constant(bits, ty.is_wide()))
                }
                _ => error(operand.span, "only a number may have a minus"),
            },
            OperandKind::Float(value) => {
                let bits = float_bits(*value, ty, operand.span)?;
                Ok(self.constant(bits, ty.is_wide()))
            }
            _ => {
                if let Some(value) = self.constant_argument(operand) {
                    return self.literal(value as u64, ty, operand.span);
                }
                let register = self.readable(operand)?;
                check(ty, register.ty, operand.span)?;
                Ok(self.extended(register.reg, ty))
            }
        }
    }

    /// The register that an operand names, to be read.
    pub(crate) fn readable(&mut self, operand: &Operand) -> Lowered<Register> {
        match &operand.kind {
            OperandKind::Name(name) => {
                if let Some(register) = self.scopes.register(name) {
                    return Ok(register);
                }
                special_registers::read(self, name, "", operand.span)
            }
            OperandKind::Component(name, component) => {
                special_registers::read(self, name, component, operand.span)
            }
            OperandKind::Argument(number) => self.argument(*number, operand.span),
            OperandKind::Sink => error(operand.span, "`_` holds no value"),
            _ => error(operand.span, "a register or a number is needed here"),
        }
    }

    fn argument(&mut self, number: usize, span: Span) -> Lowered<Register> {
        let argument = &self.arguments[number];
        let ty = match argument.constraint {
            Constraint::Half => Type::B16,
            Constraint::Word => Type::B32,
            Constraint::Long | Constraint::Immediate => Type::B64,
            Constraint::Float => Type::F32,
            Constraint::Double => Type::F64,
        };
        match argument.value {
            Value::Register(reg) => Ok(Register { reg, ty }),
            Value::Constant(_) => error(span, format!("`%{number}` is a constant, no register")),
        }
    }

    /// A 16-bit integer as the machine computes with it, in 32 bits.
    fn extended(&mut self, reg: Reg, ty: Type) -> Reg {
        if ty != Type::S16 {
            return reg;
        }
        let d = self.temporary(ty);
        self.emit(Inst::Narrow { to: MemTy::I16, d, a: reg });
        d
    }

    fn literal(&mut self, value: u64, ty: Type, span: Span) -> Lowered<Reg> {
        let bits = match (ty.class, ty.bits) {
            (Class::Float, _) if ty.bits >= 32 && matches!(ty, Type::F32 | Type::F64) => {
                return error_help(
                    span,
                    format!("an integer where a `{ty}` is needed"),
                    "write a float: `1.0`, `0f3F800000`",
                );
            }
            (Class::Predicate, _) => u64::from(value != 0),
            (Class::Signed, 16) => i64::from(value as i16) as u64,
            (Class::Signed, 8) => i64::from(value as i8) as u64,
            (_, 8) => value & 0xff,
            (_, 16) => value & 0xffff,
            _ => value,
        };
        Ok(self.constant(bits, ty.is_wide()))
    }

    /// A register to write a result of this type into. Narrower integers must be stored by
    /// [`Lowering::assign`].
    pub(crate) fn destination(&mut self, operand: &Operand, ty: Type) -> Lowered<Reg> {
        if matches!(operand.kind, OperandKind::Sink) {
            return Ok(self.temporary(ty));
        }
        let register = self.writable(operand)?;
        check(ty, register.ty, operand.span)?;
        Ok(register.reg)
    }

    /// The register that an operand names, to be written.
    pub(crate) fn writable(&mut self, operand: &Operand) -> Lowered<Register> {
        match &operand.kind {
            OperandKind::Argument(number) if !self.arguments[*number].output => error_help(
                operand.span,
                format!("`%{number}` is an input of the `asm`, and the text writes it"),
                "make it an output: `\"+r\"(x)`",
            ),
            OperandKind::Argument(number) => self.argument(*number, operand.span),
            OperandKind::Name(name) => match self.scopes.register(name) {
                Some(register) => Ok(register),
                None if name.starts_with('%') && special_registers::is_known(name) => {
                    error(operand.span, format!("`{name}` cannot be written"))
                }
                None => unknown(name, operand.span),
            },
            OperandKind::Component(name, _) if special_registers::is_known(name) => {
                error(operand.span, format!("`{name}` cannot be written"))
            }
            _ => error(operand.span, "a result needs a register"),
        }
    }

    /// Stores a result into the register that an operand names.
    pub(crate) fn store(&mut self, to: &Operand, value: Reg, ty: Type) -> Lowered<()> {
        let d = self.destination(to, ty)?;
        self.assign(d, value, ty);
        Ok(())
    }

    /// The value of an operand that is a number.
    pub(crate) fn known(&mut self, operand: &Operand) -> Option<i64> {
        let number = match &operand.kind {
            OperandKind::Negated(inner) => matches!(inner.kind, OperandKind::Int(_)),
            kind => matches!(kind, OperandKind::Int(_)) || self.is_constant(operand),
        };
        if number { self.immediate(operand).ok() } else { None }
    }

    /// Stores a computed value of 16 bits or fewer to where the destination is, zero-extended.
    pub(crate) fn assign(&mut self, d: Reg, value: Reg, ty: Type) {
        match ty.bits {
            8 => self.emit(Inst::Narrow { to: MemTy::U8, d, a: value }),
            16 => self.emit(Inst::Narrow { to: MemTy::U16, d, a: value }),
            _ if d == value => {}
            _ => self.emit(Inst::Mov { wide: ty.is_wide(), d, a: value }),
        }
    }

    /// A predicate, perhaps negated: a register with 0 or 1.
    pub(crate) fn predicate(&mut self, operand: &Operand) -> Lowered<Reg> {
        if let OperandKind::Not(inner) = &operand.kind {
            let (a, d) = (self.predicate(inner)?, self.temporary(Type::PRED));
            let b = self.constant(0, false);
            let (op, ty) = (simt_machine::isa::CmpOp::Eq, simt_machine::isa::Ty::U32);
            self.emit(Inst::Compare { op, ty, d, a, b });
            return Ok(d);
        }
        match &operand.kind {
            OperandKind::Name(name)
                if !special_registers::is_known(name) && self.scopes.register(name).is_none() =>
            {
                error_help(
                    operand.span,
                    format!("no predicate `{name}` is declared"),
                    format!("declare it in the `asm`: `.reg .pred {name};`"),
                )
            }
            _ => self.source(operand, Type::PRED),
        }
    }

    /// An integer that is known when the kernel is compiled.
    pub(crate) fn immediate(&mut self, operand: &Operand) -> Lowered<i64> {
        if let Some(value) = self.constant_argument(operand) {
            return Ok(value);
        }
        match &operand.kind {
            OperandKind::Int(value) => Ok(*value as i64),
            OperandKind::Negated(inner) => Ok(self.immediate(inner)?.wrapping_neg()),
            OperandKind::Argument(number) => error_help(
                operand.span,
                format!("`%{number}` must be a constant here"),
                "give it the constraint `n`",
            ),
            _ => error(operand.span, "a number is needed here"),
        }
    }

    /// An address in a state space, for one access.
    pub(crate) fn address(&mut self, operand: &Operand, space: Space) -> Lowered<Addr> {
        let OperandKind::Address { base, offset, more } = &operand.kind else {
            return error(operand.span, "an address is needed here: `[register]`");
        };
        if let Some(second) = more.first() {
            return error(second.span, "this address has one operand");
        }
        self.pointer(base, *offset, space)
    }

    /// The address that is the first operand between brackets.
    pub(crate) fn pointer(&mut self, base: &Operand, offset: i64, space: Space) -> Lowered<Addr> {
        let Ok(offset) = i32::try_from(offset) else {
            return error(base.span, "the offset of an address has 32 bits");
        };
        if let OperandKind::Int(_) = base.kind {
            return crate::error::unsupported(base.span, "addresses that are numbers");
        }
        let register = self.readable(base)?;
        let wide = match (register.ty.class, register.ty.bits) {
            (Class::Bits | Class::Unsigned | Class::Signed, 64) => true,
            (Class::Bits | Class::Unsigned | Class::Signed, 32) => false,
            _ => {
                let ty = register.ty;
                return error(base.span, format!("an address has 32 or 64 bits, not `{ty}`"));
            }
        };
        if space == Space::Shared {
            return Ok(self.shared_address(register.reg, wide, offset));
        }
        if !wide {
            return error_help(
                base.span,
                "an address outside shared memory has 64 bits",
                "name the space, `.shared`, if it is a shared address",
            );
        }
        Ok(Addr { base: register.reg, index: Index::None, scale: 1, offset })
    }

    /// A shared address as a pointer.
    fn shared_address(&mut self, reg: Reg, wide: bool, offset: i32) -> Addr {
        let a = if wide {
            let (from, to) = (simt_machine::isa::Ty::U64, simt_machine::isa::Ty::U32);
            let d = self.temporary(Type::U32);
            self.emit(Inst::Convert { from, to, d, a: reg });
            d
        } else {
            reg
        };
        let base = self.temporary(Type::U64);
        self.emit(Inst::SharedPointer { d: base, a });
        Addr { base, index: Index::None, scale: 1, offset }
    }

    /// Whether an operand is a constant of the `asm` statement.
    pub(crate) fn is_constant(&self, operand: &Operand) -> bool {
        self.constant_argument(operand).is_some()
    }

    /// The value of an operand that is a constant of the `asm` statement.
    fn constant_argument(&self, operand: &Operand) -> Option<i64> {
        let OperandKind::Argument(number) = operand.kind else { return None };
        match self.arguments[number].value {
            Value::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// The operands between braces; an operand without braces is one.
    pub(crate) fn elements<'o>(&self, operand: &'o Operand) -> &'o [Operand] {
        match &operand.kind {
            OperandKind::Vector(parts) => parts,
            _ => std::slice::from_ref(operand),
        }
    }
}

/// Checks the number of operands.
pub(crate) fn operands<const N: usize>(instruction: &Instruction) -> Lowered<&[Operand; N]> {
    match instruction.operands.first_chunk() {
        Some(all) if instruction.operands.len() == N => Ok(all),
        _ => error(
            instruction.span,
            format!(
                "`{}` has {N} operand{}, not {}",
                instruction.mnemonic(),
                if N == 1 { "" } else { "s" },
                instruction.operands.len()
            ),
        ),
    }
}

/// Checks that a register of the type `found` may hold an operand of the type `ty`.
fn check(ty: Type, found: Type, span: Span) -> Lowered<()> {
    if ty.accepts(found) {
        return Ok(());
    }
    error(span, format!("a `{ty}` is needed here, and this is a `{found}`"))
}

/// The error for another number of operands than the instruction takes, which `form` shows.
pub(crate) fn miscounted<T>(instruction: &Instruction, form: &str) -> Lowered<T> {
    let (name, found) = (instruction.mnemonic(), instruction.operands.len());
    let s = if found == 1 { "" } else { "s" };
    error(instruction.span, format!("`{name}` takes {form}, not {found} operand{s}"))
}

/// The error for a name that is no register.
pub(crate) fn unknown<T>(name: &str, span: Span) -> Lowered<T> {
    let help = match nearest(name, special_registers::names()) {
        Some(near) => format!("did you mean the special register `{near}`?"),
        None => "declare it in the `asm`: `.reg .b32 name;`".to_owned(),
    };
    error_help(span, format!("no register `{name}` is declared"), help)
}

/// The bits of a float literal in this type.
fn float_bits(value: crate::lexer::Float, ty: Type, span: Span) -> Lowered<u64> {
    use crate::lexer::Float;
    match (ty, value) {
        (Type::F32, Float::Single(bits)) => Ok(bits.into()),
        (Type::F32, Float::Double(bits)) => Ok((f64::from_bits(bits) as f32).to_bits().into()),
        (Type::F64, Float::Double(bits)) => Ok(bits),
        (Type::F64, Float::Single(bits)) => Ok(f64::from(f32::from_bits(bits)).to_bits()),
        (Type::B32, Float::Single(bits)) => Ok(bits.into()),
        (Type::B64, Float::Double(bits)) => Ok(bits),
        _ => error(span, format!("a `{ty}` is needed here, and this is a float")),
    }
}
