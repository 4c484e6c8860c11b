//! A value of any type.

use super::Generator;
use super::expression::{Expression, level};
use super::types::Type::{self, Bf16, F16, F32, F64};

impl Generator {
    /// A value of any type of variables.
    pub(crate) fn value(&mut self, ty: Type, depth: u32) -> Expression {
        match ty {
            F32 | F64 => self.float(ty, depth),
            F16 | Bf16 => self.half(ty, depth),
            _ => self.integer_of(ty, depth),
        }
    }

    /// A value that an assignment converts to the type: of any integer type for an integer.
    pub(crate) fn assignable(&mut self, ty: Type, depth: u32) -> Expression {
        match ty {
            _ if ty.is_integer() && self.random.chance(70) => self.integer(depth),
            _ if ty.is_float() && self.random.chance(10) => self.integer(depth),
            _ => self.value(ty, depth),
        }
    }

    /// The text of an argument or initialiser: an assignment expression.
    pub(crate) fn argument(&mut self, ty: Type, depth: u32) -> String {
        self.assignable(ty, depth).at(level::TERNARY)
    }
}
