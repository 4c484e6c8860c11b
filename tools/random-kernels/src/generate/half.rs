//! Expressions of the 16-bit floats: `__half` and `__nv_bfloat16`.
//!
//! Sums and products are those that forbid contraction (`__hadd_rn`), or operators where a kernel has
//! only one of the two.

use super::expression::{Expression, level};
use super::types::Type::{self, Bool, F16, F32, F64, I16, I32, I64, U16, U32, U64};
use super::{Generator, Rounding};

const DIRECTIONS: [&str; 4] = ["rn", "rz", "ru", "rd"];

/// How CUDA's functions call the type.
fn called(ty: Type) -> &'static str {
    if ty == F16 { "half" } else { "bfloat16" }
}

impl Generator {
    /// A value of a 16-bit float.
    pub(crate) fn half(&mut self, ty: Type, depth: u32) -> Expression {
        if depth == 0 || self.random.chance(15) {
            if self.random.chance(80)
                && let Some(place) = self.read(depth.min(1), |place| place.ty == ty)
            {
                return place;
            }
            let literal = self.float_literal(F32);
            return Expression::primary(format!("__float2{}({})", called(ty), literal.text), ty);
        }
        match self.random.below(100) {
            0..10 => self.plain_half(ty, depth),
            10..40 => {
                let name = self.random.pick(&[
                    "__hadd_rn",
                    "__hsub_rn",
                    "__hmul_rn",
                    "__hfma",
                    "__hmin",
                    "__hmax",
                    "__hdiv",
                ]);
                let (a, b) = (self.half(ty, depth - 1), self.half(ty, depth - 1));
                let mut arguments = format!("{}, {}", a.text, b.text);
                if name == "__hfma" {
                    arguments += &format!(", {}", self.half(ty, depth - 1).text);
                }
                if matches!(name, "__hmin" | "__hmax") {
                    arguments = format!("number({}), number({})", a.text, b.text);
                }
                Expression::primary(format!("{name}({arguments})"), ty)
            }
            40..55 => {
                let name = self
                    .random
                    .pick(&["__habs", "__hneg", "hfloor", "hceil", "htrunc", "hrint", "hsqrt"]);
                let a = self.half(ty, depth - 1);
                Expression::primary(format!("{name}({})", a.text), ty)
            }
            55..70 => {
                let a = self.float(F32, depth - 1);
                let direction = self.random.pick(&["_rn", "_rz", "_ru", "_rd", ""]);
                Expression::primary(format!("__float2{}{direction}({})", called(ty), a.text), ty)
            }
            70..80 => self.half_from_integer(ty, depth),
            80..86 => {
                let condition = self.condition(depth - 1);
                let (a, b) = (self.half(ty, depth - 1), self.half(ty, depth - 1));
                Expression::ternary(&condition, &a, &b, ty)
            }
            86..90 => {
                let a = self.float(F64, depth - 1);
                Expression::primary(format!("__double2{}({})", called(ty), a.text), ty)
            }
            _ => self.of_pair(ty, depth),
        }
    }

    /// `a + b`, `a - b` or `a * b` by an operator, if no product could be contracted into a sum.
    fn plain_half(&mut self, ty: Type, depth: u32) -> Expression {
        let (a, b) = (self.half(ty, depth - 1), self.half(ty, depth - 1));
        match self.rounding {
            Rounding::PlainSums => {
                let op = self.random.pick(&["+", "-"]);
                Expression::binary(&a, op, &b, level::SUM, ty)
            }
            Rounding::PlainProducts => Expression::binary(&a, "*", &b, level::PRODUCT, ty),
            _ => {
                let name = self.random.pick(&["__hadd_sat", "__hmul_sat", "__hfma_relu"]);
                let third =
                    if name == "__hfma_relu" { format!(", {}", a.text) } else { String::new() };
                Expression::primary(format!("{name}({}, {}{third})", a.text, b.text), ty)
            }
        }
    }

    fn half_from_integer(&mut self, ty: Type, depth: u32) -> Expression {
        let from = self.random.pick(&[I16, U16, I32, U32, I64, U64]);
        let value = self.integer_of(from, depth - 1);
        if from == U16 && self.random.chance(50) {
            return Expression::primary(format!("__ushort_as_{}({})", called(ty), value.text), ty);
        }
        let name = match from {
            I16 => "short",
            U16 => "ushort",
            I32 => "int",
            U32 => "uint",
            I64 => "ll",
            _ => "ull",
        };
        let direction = self.random.pick(&DIRECTIONS);
        Expression::primary(format!("__{name}2{}_{direction}({})", called(ty), value.text), ty)
    }

    /// A member of a pair on which an operation was done.
    fn of_pair(&mut self, ty: Type, depth: u32) -> Expression {
        let pair = |generator: &mut Generator| {
            let (a, b) = (generator.half(ty, depth - 1), generator.half(ty, depth - 1));
            let make = if ty == F16 { "__halves2half2" } else { "__halves2bfloat162" };
            format!("{make}({}, {})", a.text, b.text)
        };
        let (a, b) = (pair(self), pair(self));
        let operation = match self.random.below(4) {
            0 => format!("__hadd2_rn({a}, {b})"),
            1 => format!("__hmul2_rn({a}, {b})"),
            2 => format!("__hfma2({a}, {b}, {a})"),
            _ => format!("__hsub2_rn({a}, {b})"),
        };
        let name = match (ty, self.random.chance(50)) {
            (F16, true) => "__low2half",
            (F16, false) => "__high2half",
            (_, true) => "__low2bfloat16",
            (_, false) => "__high2bfloat16",
        };
        Expression::primary(format!("{name}({operation})"), ty)
    }

    /// A `float` from a 16-bit float.
    pub(crate) fn widened(&mut self, depth: u32) -> Expression {
        let ty = self.random.pick(&[F16, Type::Bf16]);
        let a = self.half(ty, depth - 1);
        Expression::primary(format!("__{}2float({})", called(ty), a.text), F32)
    }

    /// A comparison of 16-bit floats.
    pub(crate) fn half_condition(&mut self, depth: u32) -> Expression {
        let ty = self.random.pick(&[F16, Type::Bf16]);
        let (a, b) = (self.half(ty, depth), self.half(ty, depth));
        let name = self
            .random
            .pick(&["__hlt", "__hle", "__hgt", "__hge", "__heq", "__hne", "__hltu", "__hisnan"]);
        if name == "__hisnan" {
            return Expression::primary(format!("{name}({})", a.text), Bool);
        }
        if self.random.chance(40) {
            return self.comparison(&a, &b);
        }
        Expression::primary(format!("{name}({}, {})", a.text, b.text), Bool)
    }

    /// The bits of a 16-bit float, or its value as an integer.
    pub(crate) fn integer_from_half(&mut self, depth: u32) -> Expression {
        let ty = self.random.pick(&[F16, Type::Bf16]);
        let a = self.half(ty, depth);
        if self.random.chance(50) {
            return Expression::primary(format!("bits_of({})", a.text), U16);
        }
        let (name, to) = self.random.pick(&[
            ("int", I32),
            ("uint", U32),
            ("ll", I64),
            ("ull", U64),
            ("short", I16),
            ("ushort", U16),
        ]);
        let direction = self.random.pick(&DIRECTIONS);
        let text = format!("__{}2{name}_{direction}(number({}))", called(ty), a.text);
        Expression::primary(text, to)
    }
}
