//! The syntax tree: PTX as written, with names unresolved.

use crate::lexer::Float;
use simt_machine::diagnostic::Span;

/// A statement.
#[derive(Debug, Clone)]
pub(crate) enum Statement {
    /// `{ .. }`: a scope of registers and labels.
    Block(Vec<Statement>),
    /// `.reg .b32 a, b<4>;`
    Registers {
        ty: Word,
        names: Vec<Declared>,
    },
    /// `name:`
    Label(Word),
    Instruction(Instruction),
}

/// A name in a `.reg` directive; `%r<4>` declares `%r0` to `%r3`.
#[derive(Debug, Clone)]
pub(crate) struct Declared {
    pub(crate) name: Word,
    pub(crate) count: Option<u32>,
}

/// A word and its place.
#[derive(Debug, Clone)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// `@!p add.s32 a, b, c;`
#[derive(Debug, Clone)]
pub(crate) struct Instruction {
    /// The guard predicate, and whether it is negated.
    pub(crate) guard: Option<(Operand, bool)>,
    /// `add`, without the modifiers.
    pub(crate) opcode: Word,
    /// `s32`, without the dot.
    pub(crate) modifiers: Vec<Word>,
    pub(crate) operands: Vec<Operand>,
    pub(crate) span: Span,
}

impl Instruction {
    /// The opcode with all modifiers, as written.
    pub(crate) fn mnemonic(&self) -> String {
        let words = std::iter::once(&self.opcode).chain(&self.modifiers);
        words.map(|word| word.text.as_str()).collect::<Vec<_>>().join(".")
    }

    /// The span of the opcode and its modifiers.
    pub(crate) fn mnemonic_span(&self) -> Span {
        self.modifiers.last().map_or(self.opcode.span, |last| self.opcode.span.to(last.span))
    }
}

/// An operand of an instruction.
#[derive(Debug, Clone)]
pub(crate) struct Operand {
    pub(crate) kind: OperandKind,
    pub(crate) span: Span,
}

/// The forms of an operand.
#[derive(Debug, Clone)]
pub(crate) enum OperandKind {
    /// A register, a special register or a label.
    Name(String),
    /// `%tid.x`: a special register and its component.
    Component(String, String),
    /// `%0`: an operand of the `asm` statement.
    Argument(usize),
    Int(u64),
    Float(Float),
    /// `-a`
    Negated(Box<Operand>),
    /// `!p`
    Not(Box<Operand>),
    /// `_`: the result is dropped.
    Sink,
    /// `{a, b}`
    Vector(Vec<Operand>),
    /// `[a + 4]`, `[a, {b, c}]`: the operands between the brackets; the first has a byte offset.
    Address {
        base: Box<Operand>,
        offset: i64,
        more: Vec<Operand>,
    },
    /// `p|q`
    Pair(Box<Operand>, Box<Operand>),
}

/// The numbers of the operands that are in vectors of `wgmma.mma_async`.
pub(crate) fn product_registers(statements: &[Statement], out: &mut Vec<usize>) {
    for statement in statements {
        match statement {
            Statement::Block(inner) => product_registers(inner, out),
            Statement::Instruction(i) if i.mnemonic().starts_with("wgmma.mma_async.") => {
                let vectors = i.operands.iter().filter_map(|operand| match &operand.kind {
                    OperandKind::Vector(parts) => Some(parts),
                    _ => None,
                });
                out.extend(vectors.flatten().filter_map(|part| match part.kind {
                    OperandKind::Argument(number) => Some(number),
                    _ => None,
                }));
            }
            _ => {}
        }
    }
}
