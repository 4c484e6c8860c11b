//! Expressions of `float` and `double`: operations that are rounded correctly, with the rounding named,
//! or plain where the compiler has no choice ([`Rounding`]).

use super::expression::{Expression, level};
use super::types::Type::{self, Bool, F32, F64, I32, I64, U32, U64};
use super::{Generator, Rounding};

/// Literals. No power of two other than one: a product with it could become a sum.
const LITERALS: &[&str] = &[
    "0.0",
    "1.0",
    "1.5",
    "0.375",
    "3.25",
    "-0.625",
    "-1.0",
    "0.1",
    "1e-3",
    "-7.75",
    "100.5",
    "1e10",
    "1e-30",
    "12345.678",
    "-3e7",
    "0.3333333",
];

/// Functions of one argument that are exact, by their name for `double`.
const EXACT: &[&str] = &["fabs", "floor", "ceil", "trunc", "rint", "round", "sqrt", "nearbyint"];

const DIRECTIONS: [&str; 4] = ["rn", "rz", "ru", "rd"];

impl Generator {
    /// A value of `float` or `double`.
    pub(crate) fn float(&mut self, ty: Type, depth: u32) -> Expression {
        if depth == 0 {
            return self.float_leaf(ty, 0);
        }
        match self.random.below(103) {
            0..15 => self.float_leaf(ty, depth),
            100.. => {
                self.call_of(depth, |result| result == ty).unwrap_or_else(|| self.sum(ty, depth))
            }
            15..40 => self.sum(ty, depth),
            40..60 => self.product(ty, depth),
            60..66 => self.quotient(ty, depth),
            66..80 => self.exact(ty, depth),
            80..86 => {
                let condition = self.condition(depth - 1);
                let (a, b) = (self.float(ty, depth - 1), self.float(ty, depth - 1));
                Expression::ternary(&condition, &a, &b, ty)
            }
            86..94 => self.float_from_integer(ty, depth),
            _ => self.float_from_other(ty, depth),
        }
    }

    fn float_leaf(&mut self, ty: Type, depth: u32) -> Expression {
        if self.random.chance(75)
            && let Some(place) = self.read(depth.min(1), |place| place.ty == ty)
        {
            return place;
        }
        self.float_literal(ty)
    }

    /// A literal.
    pub(crate) fn float_literal(&mut self, ty: Type) -> Expression {
        let mut text = self.random.pick(LITERALS).to_owned();
        if ty == F32 {
            text.push('f');
        }
        let at = if text.starts_with('-') { level::UNARY } else { level::PRIMARY };
        Expression::new(text, at, ty)
    }

    /// A function with a named rounding, `__fadd_rn` or `__dadd_rn`.
    fn named(&mut self, ty: Type, operation: &str, arguments: &[Expression]) -> Expression {
        let prefix = match (ty, operation) {
            (F32, _) => "__f",
            (_, "ma") => "__f",
            _ => "__d",
        };
        let direction = self.random.pick(&DIRECTIONS);
        let arguments: Vec<&str> = arguments.iter().map(|a| a.text.as_str()).collect();
        let arguments = arguments.join(", ");
        // `__fmaf_rn` for float, `__fma_rn` for double.
        let operation = if (ty, operation) == (F32, "ma") { "maf" } else { operation };
        Expression::primary(format!("{prefix}{operation}_{direction}({arguments})"), ty)
    }

    fn sum(&mut self, ty: Type, depth: u32) -> Expression {
        let minus = self.random.chance(50);
        let (op, operation) = if minus { ("-", "sub") } else { ("+", "add") };
        match self.rounding {
            Rounding::Named | Rounding::PlainProducts => {
                let arguments = [self.float(ty, depth - 1), self.float(ty, depth - 1)];
                self.named(ty, operation, &arguments)
            }
            Rounding::PlainSums => {
                let (a, b) = (self.float(ty, depth - 1), self.float(ty, depth - 1));
                Expression::binary(&a, op, &b, level::SUM, ty)
            }
            Rounding::Contracted => {
                let (a, b) = (self.float(ty, depth - 1), self.float(ty, depth - 1));
                let Some(product) = self.contracted(&a) else {
                    return Expression::binary(&a, op, &b, level::SUM, ty);
                };
                if self.random.chance(50) {
                    Expression::binary(&product, op, &b, level::SUM, ty)
                } else {
                    Expression::binary(&b, op, &product, level::SUM, ty)
                }
            }
        }
    }

    /// A product that the compiler contracts into the sum around it. It must be the only one of its
    /// kind, not in a loop, and of a factor that the compiler does not know: computed where another
    /// sum or no sum is, it may stay a product.
    pub(crate) fn contracted(&mut self, a: &Expression) -> Option<Expression> {
        if self.loops > 0 || !self.in_kernel || self.random.chance(30) {
            return None;
        }
        let ty = a.ty;
        let input = self.read(0, |place| place.ty == ty && place.text.starts_with("in"))?;
        let unknown = match self.random.below(3) {
            0 => input,
            1 => Expression::binary(&input, "-", a, level::SUM, ty),
            _ => Expression::binary(a, "+", &input, level::SUM, ty),
        };
        let suffix = if ty == F32 { "f" } else { "" };
        let text =
            format!("{}.{:06}{suffix}", self.random.below(9), self.random.within(1, 999_999));
        let factor = Expression::primary(text, ty);
        Some(Expression::binary(&unknown, "*", &factor, level::PRODUCT, ty))
    }

    fn product(&mut self, ty: Type, depth: u32) -> Expression {
        let (a, b) = (self.float(ty, depth - 1), self.float(ty, depth - 1));
        if self.random.chance(30) {
            let c = self.float(ty, depth - 1);
            if self.random.chance(50) {
                return self.named(ty, "ma", &[a, b, c]);
            }
            let name = if ty == F32 { "fmaf" } else { "fma" };
            return Expression::primary(format!("{name}({}, {}, {})", a.text, b.text, c.text), ty);
        }
        if self.rounding == Rounding::PlainProducts {
            return Expression::binary(&a, "*", &b, level::PRODUCT, ty);
        }
        self.named(ty, "mul", &[a, b])
    }

    fn quotient(&mut self, ty: Type, depth: u32) -> Expression {
        let a = self.float(ty, depth - 1);
        match self.random.below(4) {
            0 => self.named(ty, "rcp", &[a]),
            1 => self.named(ty, "sqrt", &[a]),
            // Never by a constant: that would be a product.
            2 => match self.read(0, |place| place.ty == ty && place.text.contains("in")) {
                Some(b) => Expression::binary(&a, "/", &b, level::PRODUCT, ty),
                None => a,
            },
            _ => {
                let b = self.float(ty, depth - 1);
                self.named(ty, "div", &[a, b])
            }
        }
    }

    /// What is exact, or rounded once.
    fn exact(&mut self, ty: Type, depth: u32) -> Expression {
        let a = self.float(ty, depth - 1);
        let suffix = if ty == F32 { "f" } else { "" };
        match self.random.below(8) {
            0..4 => {
                let name = self.random.pick(EXACT);
                Expression::primary(format!("{name}{suffix}({})", a.text), ty)
            }
            4 => Expression::unary("-", &a, ty),
            5 => {
                let b = self.float(ty, depth - 1);
                let name = self.random.pick(&["copysign", "fmin", "fmax", "fmin", "fmax"]);
                // A NaN's sign and the sign of a zero among equals are left open.
                let (a, b) = (format!("number({})", a.text), format!("number({})", b.text));
                Expression::primary(format!("{name}{suffix}({a}, {b})"), ty)
            }
            6 if self.random.chance(60) => {
                let b = self.float(ty, depth - 1);
                let name = self.random.pick(&["fmod", "remainder", "nextafter", "fdim"]);
                Expression::primary(format!("{name}{suffix}({}, {})", a.text, b.text), ty)
            }
            6 if ty == F32 => Expression::primary(format!("__saturatef({})", a.text), ty),
            _ => {
                let exponent = self.integer(depth - 1);
                let small = exponent.at(level::BIT_AND);
                let text = format!("ldexp{suffix}({}, (int)({small} & 63) - 31)", a.text);
                Expression::primary(text, ty)
            }
        }
    }

    fn float_from_integer(&mut self, ty: Type, depth: u32) -> Expression {
        if self.random.chance(50) {
            let any = self.integer(depth - 1);
            return self.cast(any, ty);
        }
        let from = self.random.pick(&[I32, U32, I64, U64, F32]);
        let (value, to) =
            (self.integer_of(if from == F32 { U32 } else { from }, depth - 1), ty.name());
        let direction = self.random.pick(&DIRECTIONS);
        let text = match (from, ty) {
            (F32, F32) => format!("__uint_as_float({})", value.text),
            (F32, _) => format!("__longlong_as_double((i64){})", value.at(level::UNARY)),
            // Every `int` is a `double`: there is nothing to round, and one name.
            (I32, F64) => format!("__int2double_rn({})", value.text),
            (U32, F64) => format!("__uint2double_rn({})", value.text),
            (I32, _) => format!("__int2{to}_{direction}({})", value.text),
            (U32, _) => format!("__uint2{to}_{direction}({})", value.text),
            (I64, _) => format!("__ll2{to}_{direction}({})", value.text),
            _ => format!("__ull2{to}_{direction}({})", value.text),
        };
        Expression::primary(text, ty)
    }

    fn float_from_other(&mut self, ty: Type, depth: u32) -> Expression {
        if self.family == super::Family::Halves && ty == F32 && self.random.chance(70) {
            return self.widened(depth);
        }
        if ty == F64 {
            let narrow = self.float(F32, depth - 1);
            return self.cast(narrow, F64);
        }
        let wide = self.float(F64, depth - 1);
        if self.random.chance(50) {
            return self.cast(wide, F32);
        }
        let direction = self.random.pick(&DIRECTIONS);
        Expression::primary(format!("__double2float_{direction}({})", wide.text), F32)
    }

    /// A question about a float.
    pub(crate) fn float_condition(&mut self, depth: u32) -> Expression {
        let ty = self.random.pick(&[F32, F32, F64]);
        let a = self.float(ty, depth);
        if self.random.chance(30) {
            let name = self.random.pick(&["isnan", "isinf", "isfinite", "signbit"]);
            // The sign of a NaN is left open.
            return match name {
                "signbit" => {
                    Expression::primary(format!("(bool)signbit(number({}))", a.text), Bool)
                }
                _ => Expression::primary(format!("{name}({})", a.text), Bool),
            };
        }
        let b = self.float(ty, depth);
        self.comparison(&a, &b)
    }
}
