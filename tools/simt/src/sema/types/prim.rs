//! Fundamental types: sizes, kinds, spelling, and how the machine computes with them.

use crate::isa::{MemTy, Ty, half};
use crate::syntax::ast::Prim;

impl Prim {
    /// Bytes; 0 for `void`.
    pub fn size(self) -> u64 {
        match self {
            Prim::Void => 0,
            Prim::Bool | Prim::Char | Prim::SChar | Prim::UChar => 1,
            Prim::Short | Prim::UShort | Prim::Half | Prim::BFloat16 => 2,
            Prim::Int | Prim::UInt | Prim::Float | Prim::Half2 | Prim::BFloat162 => 4,
            Prim::Long | Prim::ULong | Prim::LongLong | Prim::ULongLong | Prim::Double => 8,
        }
    }

    /// A floating-point type of 16, 32 or 64 bits.
    #[inline]
    pub fn is_float(self) -> bool {
        matches!(self, Prim::Float | Prim::Double) || self.is_half()
    }

    /// A float of 16 bits: nothing promotes it, and it meets no other type.
    pub fn is_half(self) -> bool {
        matches!(self, Prim::Half | Prim::BFloat16)
    }

    /// Two floats of 16 bits in one register: what they are.
    pub fn packed(self) -> Option<Prim> {
        match self {
            Prim::Half2 => Some(Prim::Half),
            Prim::BFloat162 => Some(Prim::BFloat16),
            _ => None,
        }
    }

    /// The nearest value of a floating type.
    pub fn round(self, value: f64) -> f64 {
        match self {
            Prim::Float => f64::from(value as f32),
            Prim::Half | Prim::BFloat16 => {
                let ty = self.ty();
                half::decode(ty, half::encode(ty, value))
            }
            _ => value,
        }
    }

    /// The bits of a value of a floating type.
    pub fn float_bits(self, value: f64) -> u64 {
        match self {
            Prim::Float => u64::from((value as f32).to_bits()),
            Prim::Half | Prim::BFloat16 => u64::from(half::encode(self.ty(), value)),
            _ => value.to_bits(),
        }
    }

    /// An integer type, `bool` and `char` among them.
    pub fn is_integer(self) -> bool {
        !self.is_float() && self != Prim::Void && self.packed().is_none()
    }

    /// Whether values below zero exist.
    pub fn is_signed(self) -> bool {
        matches!(
            self,
            Prim::Char
                | Prim::SChar
                | Prim::Short
                | Prim::Int
                | Prim::Long
                | Prim::LongLong
                | Prim::Float
                | Prim::Double
                | Prim::Half
                | Prim::BFloat16
        )
    }

    /// As C++ spells it.
    pub fn spelling(self) -> &'static str {
        match self {
            Prim::Void => "void",
            Prim::Bool => "bool",
            Prim::Char => "char",
            Prim::SChar => "signed char",
            Prim::UChar => "unsigned char",
            Prim::Short => "short",
            Prim::UShort => "unsigned short",
            Prim::Int => "int",
            Prim::UInt => "unsigned int",
            Prim::Long => "long",
            Prim::ULong => "unsigned long",
            Prim::LongLong => "long long",
            Prim::ULongLong => "unsigned long long",
            Prim::Float => "float",
            Prim::Double => "double",
            Prim::Half => "__half",
            Prim::BFloat16 => "__nv_bfloat16",
            Prim::Half2 => "__half2",
            Prim::BFloat162 => "__nv_bfloat162",
        }
    }

    /// What arithmetic on it is done in.
    pub fn ty(self) -> Ty {
        match self {
            Prim::Float => Ty::F32,
            Prim::Double => Ty::F64,
            Prim::Half => Ty::F16,
            Prim::BFloat16 => Ty::Bf16,
            Prim::Half2 => Ty::F16x2,
            Prim::BFloat162 => Ty::Bf16x2,
            Prim::Long | Prim::LongLong => Ty::I64,
            Prim::ULong | Prim::ULongLong => Ty::U64,
            Prim::UInt | Prim::Bool => Ty::U32,
            _ => Ty::I32,
        }
    }

    /// Its representation in memory.
    pub fn memory(self) -> MemTy {
        match self {
            Prim::Bool | Prim::UChar => MemTy::U8,
            Prim::Char | Prim::SChar | Prim::Void => MemTy::I8,
            Prim::Short => MemTy::I16,
            Prim::UShort | Prim::Half | Prim::BFloat16 => MemTy::U16,
            Prim::Int | Prim::UInt | Prim::Float | Prim::Half2 | Prim::BFloat162 => MemTy::B32,
            _ => MemTy::B64,
        }
    }
}
