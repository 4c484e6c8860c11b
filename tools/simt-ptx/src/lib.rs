//! Inline PTX: compiles the text of an `asm` statement to the simulator's bytecode.
//!
//! ```text
//! Text ──► lexer ──► parser ──► lower ──► instructions/* ──► Target
//! bytes    tokens    syntax     scopes,   one file per       bytecode of
//! with               tree       labels,   family, with a     the kernel
//! places                        guards    table
//! ```
//!
//! The front end (the crate `simt`) evaluates the operands of the statement, hands them over as
//! [`Argument`]s, and offers a [`Target`] to emit instructions into. Every error is a diagnostic with
//! its place inside the string ([`Text`]). What is valid PTX and not implemented is refused by name.
//!
//! # How an instruction is found
//!
//! Each file of `instructions/` is a family with a `TABLE` of
//! `Entry`s. An entry names an opcode with as many modifiers as tell it apart
//! (`add`, `cp.async.bulk`), the types for which it is meant, and a function that lowers it. The entry
//! with the longest name wins. CONTRIBUTING.md ("Adding a PTX instruction") has the steps.
//!
//! # How it gets its operands
//!
//! A function gets a `Lowering` and an
//! `Instruction`. It reads the modifiers in order from
//! `Modifiers`, says how many operands there must be, and asks for each:
//!
//! | operand | PTX | call | gives |
//! |---|---|---|---|
//! | source | `%r1`, `%0`, `%tid.x`, `42` | `source(&operand, ty)` | a register; 16 bits are extended as `ty` says |
//! | destination | `%r1`, `%0`, `_` | `destination(&operand, ty)` | a register to write, which `assign` stores |
//! | predicate | `p`, `!p` | `predicate(&operand)` | a register with 0 or 1 |
//! | immediate | `42`, an `n` operand | `immediate(&operand)` | the number |
//! | address | `[%rd1+16]` | `address(&operand, space)` | an `Addr`; one in `.shared` is made a pointer |
//! | vector | `{a, b, c, d}`, any length | `elements(&operand)` | the operands in it |
//! | several in brackets | `[a, {b, c}]` | `bracketed(&operand)` | the operands behind the first |
//! | pair | `p\|q` | `pair(&operand)` | the operands |
//!
//! A register of PTX is a virtual register of the kernel: 64 bits take a pair, a predicate is 0 or 1,
//! 16 bits are zero-extended in 32.

#![forbid(unsafe_code)]
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod compose;
mod error;
mod instructions;
mod lexer;
mod lower;
mod modifiers;
mod parser;
mod rounding;
mod scope;
mod special_registers;
mod syntax;
mod target;
mod text;
mod types;

pub use error::Lowered;
pub use target::{Argument, Constraint, Target, Value};
pub use text::Text;

/// The instructions that there are, in alphabetical order: the opcode, with the modifiers that tell a
/// form apart.
pub fn instructions() -> std::collections::BTreeSet<&'static str> {
    instructions::names().collect()
}

/// The text of an `asm` statement, parsed.
#[derive(Debug, Clone)]
pub struct Program {
    statements: Vec<syntax::Statement>,
    span: simt_machine::diagnostic::Span,
}

/// Parses the text of an `asm` statement. `names` has an entry for each operand: its symbolic name,
/// if it has one.
///
/// # Errors
/// The first error, with its place inside the string.
pub fn parse(text: &Text, names: &[Option<String>]) -> Lowered<Program> {
    Ok(Program { statements: parser::parse(text, names)?, span: text.whole() })
}

impl Program {
    /// One without statements.
    pub fn empty(span: simt_machine::diagnostic::Span) -> Program {
        Program { statements: Vec::new(), span }
    }

    /// Whether it has no statement: `asm volatile("" ::: "memory")`.
    pub fn is_empty(&self) -> bool {
        self.statements.is_empty()
    }

    /// The numbers of the operands that `wgmma` has in registers: its accumulators, and its left factor.
    pub fn product_registers(&self) -> Vec<usize> {
        let mut out = Vec::new();
        syntax::product_registers(&self.statements, &mut out);
        out
    }

    /// Emits the program's instructions.
    ///
    /// # Errors
    /// The first error, with its place inside the string.
    pub fn lower(&self, arguments: &[Argument], target: &mut dyn Target) -> Lowered<()> {
        lower::lower(&self.statements, self.span, arguments, target)
    }
}
