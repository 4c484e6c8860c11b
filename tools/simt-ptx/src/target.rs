//! The builder interface: what a front end offers for the instructions of an `asm` statement.

use simt_machine::diagnostic::Span;
use simt_machine::isa::{Inst, Pc, Preload, Reg};

/// The code of a kernel under construction. Registers are virtual: each serves one purpose.
pub trait Target {
    /// Appends an instruction. `contract`: a product and a sum may become a fused multiply-add.
    fn emit(&mut self, span: Span, inst: Inst, contract: bool);
    /// New adjacent registers, the first of them even.
    fn registers(&mut self, count: u16) -> Reg;
    /// A register that holds this when the kernel starts, and is never written.
    fn preload(&mut self, preload: Preload, wide: bool) -> Reg;
    /// A new label. Instructions name it as their target.
    fn label(&mut self) -> Pc;
    /// Places the label before the next instruction.
    fn bind(&mut self, label: Pc);
    /// A new convergence barrier.
    fn barrier(&mut self) -> u16;
    /// A new entry of the kernel's table of traps.
    fn trap(&mut self, message: &str) -> u16;
    /// The condition code register `CC.CF` of the thread: one register, 0 or 1, for the whole kernel.
    fn carry(&mut self) -> Reg;
}

/// An operand of the `asm` statement, as the front end has evaluated it.
#[derive(Debug, Clone)]
pub struct Argument {
    /// The constraint.
    pub constraint: Constraint,
    /// Where its value is.
    pub value: Value,
    /// Whether the text may write it: an output.
    pub output: bool,
}

/// Where the value of an operand is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// In a register, or in a pair of them. 16 bits are zero-extended.
    Register(Reg),
    /// It is this integer constant.
    Constant(i64),
}

/// A constraint: the sort of register that an operand takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constraint {
    /// `h`: 16 bits.
    Half,
    /// `r`: 32 bits.
    Word,
    /// `l`: 64 bits.
    Long,
    /// `f`: `.f32`.
    Float,
    /// `d`: `.f64`.
    Double,
    /// `n`: an integer constant.
    Immediate,
}

impl Constraint {
    /// The constraint of that letter.
    pub fn of(letter: char) -> Option<Constraint> {
        Some(match letter {
            'h' => Constraint::Half,
            'r' => Constraint::Word,
            'l' => Constraint::Long,
            'f' => Constraint::Float,
            'd' => Constraint::Double,
            'n' => Constraint::Immediate,
            _ => return None,
        })
    }

    /// Bytes of a value.
    pub fn bytes(self) -> u32 {
        match self {
            Constraint::Half => 2,
            Constraint::Word | Constraint::Float => 4,
            Constraint::Long | Constraint::Double | Constraint::Immediate => 8,
        }
    }

    /// Whether it is for floats.
    pub fn is_float(self) -> bool {
        matches!(self, Constraint::Float | Constraint::Double)
    }
}
