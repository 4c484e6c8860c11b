//! Types: of the values that instructions compute with, and of what memory accesses move.

use super::operands::Width;

/// The type that arithmetic is done in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ty {
    /// 32-bit signed; wraps.
    I32,
    /// 32-bit unsigned.
    U32,
    /// 64-bit signed; wraps.
    I64,
    /// 64-bit unsigned, and pointers.
    U64,
    /// IEEE binary32; subnormals kept.
    F32,
    /// IEEE binary64.
    F64,
    /// IEEE binary16 in the low half of a register; subnormals kept.
    F16,
    /// bfloat16, the upper half of a binary32.
    Bf16,
    /// Two binary16, the first in the low half: one instruction computes both.
    F16x2,
    /// Two bfloat16.
    Bf16x2,
}

impl Ty {
    /// Registers that a value takes.
    pub fn slots(self) -> u16 {
        self.width().slots()
    }

    /// The same as the width of an operand.
    pub(crate) fn width(self) -> Width {
        Width::wide(matches!(self, Ty::I64 | Ty::U64 | Ty::F64))
    }

    /// Whether it is a float, or a pair of them.
    pub fn is_float(self) -> bool {
        !matches!(self, Ty::I32 | Ty::U32 | Ty::I64 | Ty::U64)
    }

    /// Whether it is a 16-bit float, or a pair of them.
    pub fn is_half(self) -> bool {
        matches!(self, Ty::F16 | Ty::Bf16 | Ty::F16x2 | Ty::Bf16x2)
    }
}

/// What a memory access moves for each lane and component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MemTy {
    /// One byte, sign-extended.
    I8,
    /// One byte, zero-extended.
    U8,
    /// Two bytes, sign-extended.
    I16,
    /// Two bytes, zero-extended.
    U16,
    /// Four bytes.
    B32,
    /// Eight bytes: two registers.
    B64,
}

impl MemTy {
    /// Bytes in memory.
    pub fn bytes(self) -> u32 {
        match self {
            MemTy::I8 | MemTy::U8 => 1,
            MemTy::I16 | MemTy::U16 => 2,
            MemTy::B32 => 4,
            MemTy::B64 => 8,
        }
    }

    /// Registers that a value takes.
    pub fn slots(self) -> u16 {
        self.width().slots()
    }

    /// The same as the width of an operand.
    pub(crate) fn width(self) -> Width {
        Width::wide(self == MemTy::B64)
    }
}

/// Shows values of these types as their names in lower case.
macro_rules! lower_case {
    ($($name:ident),+) => {$(
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&format!("{self:?}").to_ascii_lowercase())
            }
        }
    )+};
}
pub(super) use lower_case;

lower_case!(Ty, MemTy);
