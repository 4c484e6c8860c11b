//! An expression: its text, how tightly it binds, its C++ type, and how large its value can be.
//!
//! The size is what keeps plain signed arithmetic defined: an addition that could overflow is done in
//! the unsigned type instead.

use super::types::Type;

/// Levels of C++'s operators: the higher, the tighter they bind.
pub(crate) mod level {
    pub(crate) const TERNARY: u8 = 3;
    pub(crate) const OR: u8 = 4;
    pub(crate) const AND: u8 = 5;
    pub(crate) const BIT_OR: u8 = 6;
    pub(crate) const BIT_XOR: u8 = 7;
    pub(crate) const BIT_AND: u8 = 8;
    pub(crate) const EQUALITY: u8 = 9;
    pub(crate) const RELATION: u8 = 10;
    pub(crate) const SHIFT: u8 = 11;
    pub(crate) const SUM: u8 = 12;
    pub(crate) const PRODUCT: u8 = 13;
    pub(crate) const UNARY: u8 = 15;
    pub(crate) const PRIMARY: u8 = 16;
}

/// An expression.
#[derive(Debug, Clone)]
pub(crate) struct Expression {
    pub(crate) text: String,
    level: u8,
    pub(crate) ty: Type,
    /// Of an integer `v`: `|v| <= 2^bits`.
    pub(crate) bits: u8,
    /// Whether an integer may be negative.
    pub(crate) negative: bool,
}

impl Expression {
    /// Any value of the type.
    pub(crate) fn new(text: impl Into<String>, level: u8, ty: Type) -> Expression {
        let negative = ty.is_signed();
        let bits = ty.width() - u8::from(negative);
        Expression { text: text.into(), level, ty, bits, negative }
    }

    /// A name, a literal, a call: what needs no parentheses.
    pub(crate) fn primary(text: impl Into<String>, ty: Type) -> Expression {
        Expression::new(text, level::PRIMARY, ty)
    }

    /// The same, not negative and at most 2^bits.
    pub(crate) fn bounded(mut self, bits: u8) -> Expression {
        self.bits = self.bits.min(bits);
        self.negative = false;
        self
    }

    /// The text as an operand of an operator of this level: parenthesised if it binds less tightly.
    pub(crate) fn at(&self, level: u8) -> String {
        if self.level < level { format!("({})", self.text) } else { self.text.clone() }
    }

    /// The text in parentheses, before another operand. C++ reads `(u32(bool(v))) + y` as a cast of
    /// `+y` to a function's type; such a text needs no parentheses.
    pub(crate) fn parenthesised(text: &str) -> String {
        if is_function_type(text) { text.to_owned() } else { format!("({text})") }
    }

    /// `a op b`, left-associative.
    pub(crate) fn binary(a: &Expression, op: &str, b: &Expression, at: u8, ty: Type) -> Expression {
        Expression::new(format!("{} {op} {}", a.at(at), b.at(at + 1)), at, ty)
    }

    /// `condition ? a : b`, with operands that need no conversion but the one to `ty`.
    pub(crate) fn ternary(
        condition: &Expression,
        a: &Expression,
        b: &Expression,
        ty: Type,
    ) -> Expression {
        let text = format!(
            "{} ? {} : {}",
            condition.at(level::TERNARY + 1),
            a.at(level::TERNARY + 1),
            b.at(level::TERNARY)
        );
        let mut out = Expression::new(text, level::TERNARY, ty);
        if ty.is_integer() {
            let (a, b) = (a.clone().converted(ty), b.clone().converted(ty));
            out.bits = a.bits.max(b.bits);
            out.negative = a.negative || b.negative;
        }
        out
    }

    /// A prefix operator. Two signs in a row would be another operator.
    pub(crate) fn unary(op: &str, a: &Expression, ty: Type) -> Expression {
        let operand = a.at(level::UNARY);
        let text = if operand.starts_with(op) {
            format!("{op}({operand})")
        } else {
            format!("{op}{operand}")
        };
        Expression::new(text, level::UNARY, ty)
    }

    /// What is known of the value after a conversion to this integer type; the text stays.
    pub(crate) fn converted(mut self, ty: Type) -> Expression {
        if !self.ty.is_integer() {
            return Expression {
                text: self.text,
                level: self.level,
                ..Expression::primary("", ty)
            };
        }
        let any = Expression::primary("", ty);
        let fits = match (ty.is_signed(), self.negative) {
            (true, false) => self.bits < any.bits,
            // -2^7 fits `signed char`, and so does whatever such a type held before.
            (true, true) => self.bits < any.bits || (self.bits == any.bits && self.ty.is_signed()),
            (false, true) => false,
            (false, false) => self.bits <= any.bits,
        };
        if !fits {
            (self.bits, self.negative) = (any.bits, any.negative);
        }
        self.ty = ty;
        self
    }
}

/// Whether C++ can read a text as the type of a function, such as `u32(i8(*p))`: it returns `u32`, and its
/// parameter is `p`.
fn is_function_type(text: &str) -> bool {
    constructed(text).is_some_and(|parameter| {
        constructed(parameter).is_some_and(is_declarator) || is_function_type(parameter)
    })
}

/// The text between the parentheses of `u32(...)`, if nothing is outside them.
fn constructed(text: &str) -> Option<&str> {
    let (name, rest) = text.split_once('(')?;
    [Type::Bool].iter().chain(&Type::INTEGERS).find(|ty| ty.name() == name)?;
    let inner = rest.strip_suffix(')')?;
    let mut open = 0;
    for byte in inner.bytes() {
        open += match byte {
            b'(' => 1,
            b')' => -1,
            _ => 0,
        };
        if open < 0 {
            return None;
        }
    }
    Some(inner)
}

/// Whether a text is a name, perhaps with `*` before it or `[...]` behind it.
fn is_declarator(text: &str) -> bool {
    let name = text.trim_start_matches('*');
    let end = name.find('[').filter(|_| name.ends_with(']')).unwrap_or(name.len());
    let is_word = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric();
    name.starts_with(|first: char| first.is_ascii_alphabetic()) && name[..end].bytes().all(is_word)
}
