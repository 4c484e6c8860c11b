//! Operands: the registers that an instruction uses and defines, and addresses.
//!
//! The rows of the instruction table say which they are ([`Inst::visit_operands`]).

use super::{Inst, Print, PrintArg, Reg};
use std::fmt::{self, Display};

/// Whether an instruction reads a register or writes it: "def" and "use" of data-flow analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It is read.
    Read,
    /// It is written.
    Write,
}

/// How many registers an operand takes: so many components of one register or of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Width {
    /// Registers per component: 1, or 2 for 64 bits.
    component: u16,
    /// Components: 1 but for vector accesses; 0 if the operand is absent.
    count: u16,
}

impl Width {
    /// No register: this variant of the instruction lacks the operand.
    pub const NONE: Width = Width { component: 1, count: 0 };
    /// 32 bits.
    pub const WORD: Width = Width { component: 1, count: 1 };
    /// 64 bits.
    pub const PAIR: Width = Width { component: 2, count: 1 };

    /// 64 bits or 32.
    pub const fn wide(wide: bool) -> Width {
        if wide { Width::PAIR } else { Width::WORD }
    }

    /// A vector of so many.
    pub fn times(self, count: u8) -> Width {
        Width { count: u16::from(count), ..self }
    }

    /// Registers in all.
    pub fn slots(self) -> u16 {
        self.component * self.count
    }

    /// Whether its components are of 64 bits, and so begin at even registers.
    pub fn is_wide(self) -> bool {
        self.component == 2
    }
}

/// A field that holds a register, or several or perhaps none.
pub(super) trait Operand {
    /// Calls `f` for each register.
    fn visit(&mut self, width: Width, role: Role, f: &mut dyn FnMut(&mut Reg, Width, Role));
}

impl Operand for Reg {
    fn visit(&mut self, width: Width, role: Role, f: &mut dyn FnMut(&mut Reg, Width, Role)) {
        if width != Width::NONE {
            f(self, width, role);
        }
    }
}

impl Operand for Option<Reg> {
    fn visit(&mut self, width: Width, role: Role, f: &mut dyn FnMut(&mut Reg, Width, Role)) {
        self.iter_mut().for_each(|reg| reg.visit(width, role, f));
    }
}

impl<const N: usize> Operand for [Reg; N] {
    fn visit(&mut self, width: Width, role: Role, f: &mut dyn FnMut(&mut Reg, Width, Role)) {
        self.iter_mut().for_each(|reg| reg.visit(width, role, f));
    }
}

/// Calls `f` for each operand: the register, how many from there on, and what for.
pub fn visit(inst: &mut Inst, f: &mut dyn FnMut(&mut Reg, u16, Role)) {
    inst.visit_operands(&mut |reg, width, role| f(reg, width.slots(), role));
}

/// The same for an instruction that prints: the values that it uses are in a table of their own.
pub fn visit_print(print: &mut Print, f: &mut dyn FnMut(&mut Reg, u16, Role)) {
    for arg in &mut print.args {
        match arg {
            PrintArg::Value(ty, reg) => f(reg, ty.slots(), Role::Read),
            PrintArg::Address(reg) => f(reg, 2, Role::Read),
            PrintArg::Text(_) => {}
        }
    }
}

/// A lane's address: `base + index * scale + offset`, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Addr {
    /// A pointer (two registers).
    pub base: Reg,
    /// What is added, after scaling.
    pub index: Index,
    /// Bytes per step of the index.
    pub scale: u32,
    /// A constant number of bytes.
    pub offset: i32,
}

/// The index of an [`Addr`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index {
    /// No index.
    None,
    /// Sign-extended to 64 bits.
    I32(Reg),
    /// Zero-extended to 64 bits.
    U32(Reg),
    /// 64 bits as they are.
    I64(Reg),
}

impl Addr {
    /// Calls `f` for its registers: the base, and the index if there is one.
    pub(super) fn visit_registers(&mut self, f: &mut dyn FnMut(&mut Reg, Width, Role)) {
        f(&mut self.base, Width::PAIR, Role::Read);
        match &mut self.index {
            Index::None => {}
            Index::I32(reg) | Index::U32(reg) => f(reg, Width::WORD, Role::Read),
            Index::I64(reg) => f(reg, Width::PAIR, Role::Read),
        }
    }
}

impl Display for Addr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[r{}", self.base)?;
        match self.index {
            Index::None => {}
            Index::I32(r) => write!(f, " + i32 r{r} * {}", self.scale)?,
            Index::U32(r) => write!(f, " + u32 r{r} * {}", self.scale)?,
            Index::I64(r) => write!(f, " + i64 r{r} * {}", self.scale)?,
        }
        match self.offset {
            0 => f.write_str("]"),
            n if n < 0 => write!(f, " - {}]", n.unsigned_abs()),
            n => write!(f, " + {n}]"),
        }
    }
}
