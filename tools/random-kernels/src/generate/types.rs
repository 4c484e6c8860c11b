//! The arithmetic types of the generated kernels, and C++'s conversions between them.

use Type::{Bf16, Bool, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};

/// An arithmetic type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
    F16,
    Bf16,
}

impl Type {
    /// The integers of variables; `bool` is apart.
    pub(crate) const INTEGERS: [Type; 8] = [I8, U8, I16, U16, I32, U32, I64, U64];
    /// The integers that arithmetic is done in.
    pub(crate) const PROMOTED: [Type; 4] = [I32, U32, I64, U64];

    /// Its name in the programs, one word, so that it can be in a functional cast.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Bool => "bool",
            I8 => "i8",
            U8 => "u8",
            I16 => "i16",
            U16 => "u16",
            I32 => "i32",
            U32 => "u32",
            I64 => "i64",
            U64 => "u64",
            F32 => "float",
            F64 => "double",
            F16 => "__half",
            Bf16 => "__nv_bfloat16",
        }
    }

    /// Other spellings of the same type, for declarations and casts in parentheses.
    pub(crate) fn spellings(self) -> &'static [&'static str] {
        match self {
            Bool => &["bool"],
            I8 => &["i8", "signed char", "int8_t"],
            U8 => &["u8", "unsigned char", "uint8_t"],
            I16 => &["i16", "short", "short int", "int16_t"],
            U16 => &["u16", "unsigned short", "uint16_t"],
            I32 => &["i32", "int", "signed", "int32_t"],
            U32 => &["u32", "unsigned", "unsigned int", "uint32_t"],
            I64 => &["i64", "long long", "long long int"],
            U64 => &["u64", "unsigned long long", "unsigned long long int"],
            F32 => &["float"],
            F64 => &["double"],
            F16 => &["__half", "half"],
            Bf16 => &["__nv_bfloat16"],
        }
    }

    /// Its size in bits; 1 for `bool`.
    pub(crate) fn width(self) -> u8 {
        match self {
            Bool => 1,
            I8 | U8 => 8,
            I16 | U16 | F16 | Bf16 => 16,
            I32 | U32 | F32 => 32,
            I64 | U64 | F64 => 64,
        }
    }

    pub(crate) fn is_integer(self) -> bool {
        !matches!(self, F32 | F64 | F16 | Bf16)
    }

    pub(crate) fn is_signed(self) -> bool {
        matches!(self, I8 | I16 | I32 | I64)
    }

    /// `float` and `double`.
    pub(crate) fn is_float(self) -> bool {
        matches!(self, F32 | F64)
    }

    /// The 16-bit floats.
    pub(crate) fn is_half(self) -> bool {
        matches!(self, F16 | Bf16)
    }

    /// The integral promotion.
    pub(crate) fn promoted(self) -> Type {
        if self.is_integer() && self.width() < 32 { I32 } else { self }
    }

    /// The usual arithmetic conversions of two integers.
    pub(crate) fn usual(self, other: Type) -> Type {
        let (a, b) = (self.promoted(), other.promoted());
        if a.width() != b.width() {
            return if a.width() > b.width() { a } else { b };
        }
        if a.is_signed() { b } else { a }
    }

    /// The unsigned integer of the same width.
    pub(crate) fn unsigned(self) -> Type {
        match self {
            I8 => U8,
            I16 => U16,
            I32 => U32,
            I64 => U64,
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_convert_as_in_cpp() {
        assert_eq!(U8.usual(I8), I32);
        assert_eq!(U32.usual(I32), U32);
        assert_eq!(U32.usual(I64), I64);
        assert_eq!(I64.usual(U64), U64);
        assert_eq!(Bool.usual(U16), I32);
    }
}
