//! Debug information: where the source's variables are while a kernel runs.
//!
//! A variable is described once ([`Variable`]), and has one lifetime per inlined copy of its function
//! ([`Life`]). During a lifetime no other value is in its registers, so that they hold the
//! variable's value once something was written there. A variable that the compiler optimised away (a
//! product that became part of a fused multiply-add, an argument that is never read) is
//! [`Home::Nowhere`]: it is not shown.

use super::{Pc, Reg};
use crate::diagnostic::Span;
use std::ops::Range;

/// The variables of a kernel and of the functions inlined in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Debug {
    /// Each once, in the order of their first appearance in the code.
    pub variables: Vec<Variable>,
    /// Their locations and lifetimes, outer functions and scopes first.
    pub lives: Vec<Life>,
}

/// A parameter or a local or shared variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type as C++ spells it: `const int*`, `float[4]`.
    pub ty: String,
    /// The function that declares it.
    pub function: String,
    /// Where it is declared.
    pub span: Span,
    /// How to decode its bits; `None` for unions, and for variables that are too large to be shown
    /// value by value.
    pub layout: Option<Layout>,
    /// Of an array, how to decode its innermost element, and the element's size in bytes.
    pub element: Option<(Layout, u32)>,
    /// Of a pointer to a struct, the struct's name and how to decode it.
    pub pointee: Option<(String, Layout)>,
}

/// A lifetime: a variable from its declaration to the end of its scope, in one inlined copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Life {
    /// Index into [`Debug::variables`].
    pub variable: u32,
    /// Where it is.
    pub home: Home,
    /// The instructions during which it is in scope.
    pub scope: Range<Pc>,
    /// Whether it is uninitialised at the first instruction of the scope. Another name for an
    /// existing value is not.
    pub fresh: bool,
}

/// The location of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Home {
    /// In registers, from this one on.
    Registers(Reg),
    /// An object of shared memory: index into [`super::Kernel::shared`].
    Shared(u16),
    /// An object of the thread's local memory: index into [`super::Kernel::locals`].
    Local(u16),
    /// A reference to something in memory, whose address is in these two registers.
    Address(Reg),
    /// Optimised away.
    Nowhere,
}

/// How to decode the bits of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Layout {
    /// One scalar.
    Scalar {
        /// What it is.
        scalar: Scalar,
        /// Registers from the variable's first.
        slot: u16,
        /// Bytes from the variable's first, in memory.
        offset: u32,
    },
    /// Members with their names, in order; a base class has its name.
    Struct(Vec<(String, Layout)>),
    /// Elements in order.
    Array(Vec<Layout>),
}

/// A scalar type, as far as it matters for showing a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum Scalar {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    Bf16,
    F16x2,
    Bf16x2,
    F32,
    F64,
    Pointer,
}

impl Scalar {
    /// Bytes in memory.
    pub fn bytes(self) -> u32 {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 | Scalar::F16 | Scalar::Bf16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F16x2 | Scalar::Bf16x2 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::U64 | Scalar::F64 | Scalar::Pointer => 8,
        }
    }
}

impl Layout {
    /// Calls `f` for each scalar: what it is, its slot and its offset.
    pub fn scalars(&self, f: &mut dyn FnMut(Scalar, u16, u32)) {
        match self {
            Layout::Scalar { scalar, slot, offset } => f(*scalar, *slot, *offset),
            Layout::Struct(members) => members.iter().for_each(|(_, m)| m.scalars(f)),
            Layout::Array(elements) => elements.iter().for_each(|e| e.scalars(f)),
        }
    }
}
