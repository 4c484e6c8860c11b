//! The types of PTX instructions and registers.

use simt_machine::isa::{MemTy, Ty};
use std::fmt;

/// What the bits of a type mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Untyped bits.
    Bits,
    Unsigned,
    Signed,
    Float,
    /// A predicate: one bit.
    Predicate,
}

/// A type, by its name without the dot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Type {
    pub(crate) name: &'static str,
    pub(crate) class: Class,
    /// Bits of a value; 1 for a predicate.
    pub(crate) bits: u32,
}

macro_rules! types {
    ($($constant:ident $name:literal $class:ident $bits:literal,)+) => {
        impl Type {
            $(pub(crate) const $constant: Type =
                Type { name: $name, class: Class::$class, bits: $bits };)+
            /// Every type.
            const ALL: &[Type] = &[$(Type::$constant),+];
        }
    };
}

types! {
    B8 "b8" Bits 8, B16 "b16" Bits 16, B32 "b32" Bits 32, B64 "b64" Bits 64, B128 "b128" Bits 128,
    U8 "u8" Unsigned 8, U16 "u16" Unsigned 16, U32 "u32" Unsigned 32, U64 "u64" Unsigned 64,
    S8 "s8" Signed 8, S16 "s16" Signed 16, S32 "s32" Signed 32, S64 "s64" Signed 64,
    F16 "f16" Float 16, BF16 "bf16" Float 16, F32 "f32" Float 32, F64 "f64" Float 64,
    TF32 "tf32" Float 32,
    F16X2 "f16x2" Float 32, BF16X2 "bf16x2" Float 32,
    U16X2 "u16x2" Unsigned 32, S16X2 "s16x2" Signed 32,
    E4M3 "e4m3" Float 8, E5M2 "e5m2" Float 8,
    E4M3X2 "e4m3x2" Float 16, E5M2X2 "e5m2x2" Float 16,
    PRED "pred" Predicate 1,
}

impl Type {
    /// The type of that name.
    pub(crate) fn named(name: &str) -> Option<Type> {
        Type::ALL.iter().copied().find(|ty| ty.name == name)
    }

    /// Whether a value takes two registers of the machine.
    pub(crate) fn is_wide(self) -> bool {
        self.bits == 64
    }

    /// Registers of the machine that a value takes.
    pub(crate) fn slots(self) -> u16 {
        (self.bits.div_ceil(32)) as u16
    }

    pub(crate) fn is_signed(self) -> bool {
        self.class == Class::Signed
    }

    /// Whether a register declared as `register` may hold an operand of this type: the sizes are
    /// equal, and a float and an integer do not mix. Bits go with everything, and so does a packed
    /// or 16-bit float, whose registers are bits.
    pub(crate) fn accepts(self, register: Type) -> bool {
        let loose = |ty: Type| ty.class == Class::Bits || !matches!(ty, Type::F32 | Type::F64);
        let integer = |ty: Type| matches!(ty.class, Class::Unsigned | Class::Signed);
        if self.bits != register.bits {
            return false;
        }
        match (self.class, register.class) {
            (Class::Predicate, _) | (_, Class::Predicate) => self.class == register.class,
            (Class::Bits, _) | (_, Class::Bits) => true,
            (Class::Float, Class::Float) => true,
            _ => integer(self) == integer(register) || loose(self) && loose(register),
        }
    }

    /// The machine's type for arithmetic. A 16-bit integer is computed with in 32 bits.
    pub(crate) fn arithmetic(self) -> Ty {
        match self {
            Type::F16 => Ty::F16,
            Type::BF16 => Ty::Bf16,
            Type::F16X2 => Ty::F16x2,
            Type::BF16X2 => Ty::Bf16x2,
            Type::F32 | Type::TF32 => Ty::F32,
            Type::F64 => Ty::F64,
            _ => match (self.is_wide(), self.is_signed()) {
                (true, true) => Ty::I64,
                (true, false) => Ty::U64,
                (false, true) => Ty::I32,
                (false, false) => Ty::U32,
            },
        }
    }

    /// What a memory access of this type moves.
    pub(crate) fn memory(self) -> MemTy {
        match (self.bits, self.is_signed()) {
            (8, true) => MemTy::I8,
            (8, false) => MemTy::U8,
            (16, true) => MemTy::I16,
            (16, false) => MemTy::U16,
            (64, _) => MemTy::B64,
            _ => MemTy::B32,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".{}", self.name)
    }
}
