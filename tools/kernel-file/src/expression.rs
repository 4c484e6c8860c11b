//! Integer expressions over names: `(n + 511) / 512`, `2^24`, `min(n, 4 * blocks)`.
//!
//! A directive states sizes, grids and scalars as functions of `n`, so that one file describes every
//! size that a reader may type. Operators bind as in C, and `^` is a power. All arithmetic is on
//! 64-bit signed integers and checked: an overflow, a division by zero and an unknown name are
//! errors that quote the expression.

use crate::infix::{Infix, Language};
use std::collections::BTreeMap;

pub use crate::infix::ExpressionError;

/// The values of names.
pub type Scope = BTreeMap<String, i64>;

/// An integer expression.
pub type Expression = Infix<Integers>;

/// The language of [`Expression`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Integers;

/// An operator or a function of integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the operations")]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    Pow,
    Min,
    Max,
}

impl Expression {
    /// A number.
    pub fn number(value: i64) -> Expression {
        Infix::of(value, value.to_string())
    }
}

impl Language for Integers {
    type Value = i64;
    type Op = Op;
    type Type = ();

    const OPERATORS: &'static [(&'static str, Op, u8)] = &[
        ("<<", Op::Shl, 0),
        (">>", Op::Shr, 0),
        ("+", Op::Add, 1),
        ("-", Op::Sub, 1),
        ("*", Op::Mul, 2),
        ("/", Op::Div, 2),
        ("%", Op::Rem, 2),
    ];
    const FUNCTIONS: &'static [(&'static str, Op)] = &[("min", Op::Min), ("max", Op::Max)];
    const POWER: Option<Op> = Some(Op::Pow);
    const NUMBER: () = ();
    const FRACTIONS: bool = false;
    const NUMBERS: &'static str = "a 64-bit integer, such as 1000 or 2^10";

    fn number(text: &str) -> Option<i64> {
        text.parse().ok()
    }

    fn result(_: Op, _: &str, (): (), (): ()) -> Result<(), String> {
        Ok(())
    }

    fn negate(value: i64) -> Result<i64, &'static str> {
        value.checked_neg().ok_or(OVERFLOW)
    }

    fn apply(op: Op, a: i64, b: i64) -> Result<i64, &'static str> {
        if b == 0 && matches!(op, Op::Div | Op::Rem) {
            return Err("divides by zero");
        }
        let count = u32::try_from(b).ok();
        let power = |base: i64| count.and_then(|count| base.checked_pow(count));
        let value = match op {
            Op::Add => a.checked_add(b),
            Op::Sub => a.checked_sub(b),
            Op::Mul => a.checked_mul(b),
            Op::Div => a.checked_div(b),
            Op::Rem => a.checked_rem(b),
            Op::Shl => power(2).and_then(|factor| a.checked_mul(factor)),
            Op::Shr => count.map(|count| a >> count.min(63)),
            Op::Pow => power(a),
            Op::Min => Some(a.min(b)),
            Op::Max => Some(a.max(b)),
        };
        value.ok_or(OVERFLOW)
    }
}

const OVERFLOW: &str = "does not fit in 64 bits";

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<i64, String> {
        let scope = Scope::from([("n".to_owned(), 1000), ("blocks".to_owned(), 2)]);
        let expression = Expression::parse(text).map_err(|e| format!("{}: {e}", e.column))?;
        expression.evaluate(&scope).map_err(|e| format!("{}: {e}", e.column))
    }

    #[test]
    fn arithmetic_as_in_c() {
        for (text, wanted) in [
            ("(n + 511) / 512", 2),
            ("2^24", 16_777_216),
            ("2 ^ 3 ^ 2", 512),
            ("-2^2", -4),
            ("10 - 3 - 2", 5),
            ("1 + 2 * 3 % 4", 3),
            ("1 << 2 + 3", 32),
            ("min(n, 7) + max(blocks, 4)", 11),
            ("1_000", 1000),
            ("- - 3", 3),
        ] {
            assert_eq!(value(text), Ok(wanted), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_computed_is_an_error() {
        for (text, message) in [
            ("n / (blocks - 2)", "0: `n / (blocks - 2)` divides by zero"),
            ("2^63", "0: `2^63` does not fit in 64 bits"),
            ("1 << 64", "0: `1 << 64` does not fit in 64 bits"),
            ("2^(0-1)", "0: `2^(0-1)` does not fit in 64 bits"),
            ("4 * block", "4: unknown name `block`; did you mean `blocks`?"),
            ("mni(1, 2)", "0: unknown function `mni`; did you mean `min`?"),
            ("(n + 511", "8: expected `)`, found nothing"),
            ("n +", "3: expected a number or a name, found nothing"),
            ("n n", "2: expected an operator, found `n`"),
            (
                "99999999999999999999",
                "0: `99999999999999999999` is not a 64-bit integer, such as 1000 or 2^10",
            ),
            ("0x10", "0: `0x10` is not a 64-bit integer, such as 1000 or 2^10"),
        ] {
            assert_eq!(value(text), Err(message.to_owned()), "{text}");
        }
    }

    #[test]
    fn depth_is_bounded_and_length_is_not() {
        assert!(Expression::parse(&"(".repeat(100_000)).is_err());
        assert!(Expression::parse(&"-".repeat(100_000)).is_err());
        assert_eq!(value(&format!("1{}", " + 1".repeat(100_000))), Ok(100_001));
    }
}
