//! Rounding modes, flushing of subnormals, and saturation: what many float instructions share.

use crate::lower::Lowering;
use crate::types::Type;
use simt_machine::isa::{BinOp, CmpOp, Reg, Ty};

/// A rounding mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// To nearest, ties to even.
    Nearest,
    /// Toward zero.
    Zero,
    /// Toward minus infinity.
    Down,
    /// Toward plus infinity.
    Up,
}

/// The modes of floating-point results.
pub(crate) const ROUNDINGS: &[(&str, Rounding)] = &[
    ("rn", Rounding::Nearest),
    ("rz", Rounding::Zero),
    ("rm", Rounding::Down),
    ("rp", Rounding::Up),
];

impl Rounding {
    /// The ending of the mathematics library's functions; none to nearest.
    pub(crate) fn ending(self) -> Option<&'static str> {
        match self {
            Rounding::Nearest => None,
            Rounding::Zero => Some("rz"),
            Rounding::Down => Some("rd"),
            Rounding::Up => Some("ru"),
        }
    }
}

impl Lowering<'_> {
    /// A float of 32 bits with subnormals made zero of the same sign, if `flush`.
    pub(crate) fn flushed(&mut self, flush: bool, a: Reg) -> Reg {
        if !flush {
            return a;
        }
        let exponent = self.binary_with(BinOp::And, Ty::U32, a, 0x7f80_0000);
        let zero = self.binary_with(BinOp::And, Ty::U32, a, 0x8000_0000);
        self.select(false, exponent, a, zero)
    }

    /// The same of a 16-bit float.
    pub(crate) fn flushed_half(&mut self, flush: bool, ty: Type, a: Reg) -> Reg {
        if !flush {
            return a;
        }
        let exponents = if ty == Type::BF16 { 0x7f80 } else { 0x7c00 };
        let exponent = self.binary_with(BinOp::And, Ty::U32, a, exponents);
        let zero = self.binary_with(BinOp::And, Ty::U32, a, 0x8000);
        self.select(false, exponent, a, zero)
    }

    /// A float clamped to [0, 1], if `saturate`. A NaN becomes 0.
    pub(crate) fn saturated(&mut self, saturate: bool, ty: Ty, a: Reg) -> Reg {
        if !saturate {
            return a;
        }
        let one = match ty {
            Ty::F16 => 0x3c00,
            Ty::Bf16 => 0x3f80,
            _ => 1f32.to_bits(),
        };
        let positive = self.binary_with(BinOp::Max, ty, a, 0);
        self.binary_with(BinOp::Min, ty, positive, one)
    }

    /// Whether one of two floats is a NaN.
    pub(crate) fn unordered(&mut self, ty: Ty, a: Reg, b: Reg) -> Reg {
        let [a, b] = [a, b].map(|a| self.compare(CmpOp::Ne, ty, a, a));
        self.binary(BinOp::Or, Ty::U32, a, b)
    }

    /// The canonical NaN of a format.
    pub(crate) fn nan(&mut self, ty: Ty) -> Reg {
        match ty {
            Ty::F64 => self.constant(0xfff8_0000_0000_0000, true),
            Ty::F32 => self.word(0x7fff_ffff),
            _ => self.word(0x7fff),
        }
    }

    /// `max(a, +0)`, a NaN made canonical.
    pub(crate) fn rectified(&mut self, relu: bool, ty: Ty, a: Reg) -> Reg {
        if !relu {
            return a;
        }
        let (nan, is_nan) = (self.nan(ty), self.unordered(ty, a, a));
        let zero = self.constant(0, ty == Ty::F64);
        let positive = self.binary(BinOp::Max, ty, a, zero);
        self.select(ty == Ty::F64, is_nan, nan, positive)
    }
}
