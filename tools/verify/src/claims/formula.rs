//! What a claim says, as a comparison over named numbers: `before / after >= 1.9 && loads < 10`.
//!
//! The numbers are measured, so all arithmetic is on floats. A formula is a truth value: that
//! `a + b` is none, or that `a < b < c` compares a truth value with a number, is an error when it is
//! parsed, with its column.

use kernel_file::infix::{Infix, Language};
use std::collections::BTreeMap;

/// The values of names.
pub(crate) type Numbers = BTreeMap<String, f64>;

/// A comparison over named numbers.
pub type Formula = Infix<Comparisons>;

/// The language of [`Formula`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comparisons;

/// An operator or a function of a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    Or,
    And,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    Differs,
    Add,
    Sub,
    Mul,
    Div,
    Min,
    Max,
}

/// What a part of a formula is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// A number.
    Number,
    /// A truth value: 1 or 0.
    Truth,
}

/// Whether the formula is true of these numbers. `Err` if a name has none, or if the result is not
/// finite, after a division by zero.
pub(crate) fn is_true(formula: &Formula, numbers: &Numbers) -> Result<bool, String> {
    match formula.evaluate(numbers) {
        Ok(value) => Ok(value == 1.0),
        Err(error) => Err(error.message),
    }
}

impl Language for Comparisons {
    type Value = f64;
    type Op = Op;
    type Type = Type;

    const OPERATORS: &'static [(&'static str, Op, u8)] = &[
        ("||", Op::Or, 0),
        ("&&", Op::And, 1),
        ("<=", Op::LessEqual, 2),
        (">=", Op::GreaterEqual, 2),
        ("==", Op::Equal, 2),
        ("!=", Op::Differs, 2),
        ("<", Op::Less, 2),
        (">", Op::Greater, 2),
        ("+", Op::Add, 3),
        ("-", Op::Sub, 3),
        ("*", Op::Mul, 4),
        ("/", Op::Div, 4),
    ];
    const FUNCTIONS: &'static [(&'static str, Op)] = &[("min", Op::Min), ("max", Op::Max)];
    const POWER: Option<Op> = None;
    const NUMBER: Type = Type::Number;
    const FRACTIONS: bool = true;
    const NUMBERS: &'static str = "a number";

    fn number(text: &str) -> Option<f64> {
        text.parse().ok().filter(|value: &f64| value.is_finite())
    }

    fn result(op: Op, word: &str, left: Type, right: Type) -> Result<Type, String> {
        let (takes, gives) = match op {
            Op::Or | Op::And => (Type::Truth, Type::Truth),
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual | Op::Equal | Op::Differs => {
                (Type::Number, Type::Truth)
            }
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Min | Op::Max => {
                (Type::Number, Type::Number)
            }
        };
        if (left, right) == (takes, takes) {
            return Ok(gives);
        }
        Err(match (op, takes) {
            (Op::Min | Op::Max, _) => format!("`{word}` takes two numbers"),
            (_, Type::Number) => {
                format!("`{word}` takes numbers, and a comparison is none: write `a < b && b < c`")
            }
            (_, Type::Truth) => format!("`{word}` takes comparisons on both sides"),
        })
    }

    fn negated(ty: Type) -> Result<(), String> {
        match ty {
            Type::Number => Ok(()),
            Type::Truth => Err("`-` takes a number".to_owned()),
        }
    }

    fn whole(ty: Type) -> Result<(), String> {
        match ty {
            Type::Truth => Ok(()),
            Type::Number => {
                let message =
                    "this is a number, not a comparison: write something like `a / b >= 2`";
                Err(message.to_owned())
            }
        }
    }

    fn negate(value: f64) -> Result<f64, &'static str> {
        Ok(-value)
    }

    fn apply(op: Op, a: f64, b: f64) -> Result<f64, &'static str> {
        let truth = |truth: bool| f64::from(u8::from(truth));
        let value = match op {
            Op::Or => a.max(b),
            Op::And => a.min(b),
            Op::Less => truth(a < b),
            Op::LessEqual => truth(a <= b),
            Op::Greater => truth(a > b),
            Op::GreaterEqual => truth(a >= b),
            Op::Equal => truth(a == b),
            Op::Differs => truth(a != b),
            Op::Add => a + b,
            Op::Sub => a - b,
            Op::Mul => a * b,
            Op::Div => a / b,
            Op::Min => a.min(b),
            Op::Max => a.max(b),
        };
        match value {
            value if value.is_finite() && a.is_finite() && b.is_finite() => Ok(value),
            _ if op == Op::Div && b == 0.0 => Err("divides by zero"),
            _ => Err("is not a finite number"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn truth(text: &str) -> Result<bool, String> {
        let numbers = Numbers::from([("a".to_owned(), 12.0), ("b".to_owned(), 4.0)]);
        let formula = Formula::parse(text).map_err(|e| format!("{}: {}", e.column, e.message))?;
        is_true(&formula, &numbers)
    }

    #[test]
    fn comparisons_over_named_numbers() {
        for (text, wanted) in [
            ("a / b >= 1.9", true),
            ("a / b > 3", false),
            ("a - b - 4 == 4", true),
            ("1 + 2 * 3 == 7 && a != b", true),
            ("a < b || b < a", true),
            ("(a < b || b < a) && a < 0", false),
            ("max(a, b) / min(a, b) <= 3.0", true),
            ("-a < -1e1", true),
            ("a * 1e-1 < 1.3", true),
            ("1_200 == 100 * a", true),
        ] {
            assert_eq!(truth(text), Ok(wanted), "{text}");
        }
    }

    #[test]
    fn what_is_no_comparison_is_an_error_with_its_column() {
        for (text, wanted) in [
            ("a + b", "0: this is a number, not a comparison: write something like `a / b >= 2`"),
            ("1 < a < 3", "6: `<` takes numbers, and a comparison is none: write `a < b && b < c`"),
            ("a && b > 1", "2: `&&` takes comparisons on both sides"),
            ("mni(a, b) > 1", "0: unknown function `mni`; did you mean `min`?"),
            ("a > ", "4: expected a number or a name, found nothing"),
            ("a > 1.2.3", "4: `1.2.3` is not a number"),
            ("a > 1 b", "6: expected an operator, found `b`"),
            ("(a > 1", "6: expected `)`, found nothing"),
            ("a = b", "2: expected an operator, found `=`"),
        ] {
            assert_eq!(truth(text), Err(wanted.to_owned()), "{text}");
        }
        assert!(truth("a / (b - 4) > 1").unwrap_err().contains("divides by zero"));
        assert!(truth("c > 1").unwrap_err().contains("unknown name `c`"));
        assert!(Formula::parse(&"(".repeat(100_000)).is_err());
    }
}
