//! The formula of a number: `sectors / requests`, `4 * n`. The language of a claim's predicate without
//! its comparisons.

use crate::claims::{Comparisons, Op, Type};
use kernel_file::infix::{Infix, Language};

/// A number over named numbers.
pub type Quantity = Infix<Quantities>;

/// The language of [`Quantity`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quantities;

impl Language for Quantities {
    type Value = f64;
    type Op = Op;
    type Type = Type;

    const OPERATORS: &'static [(&'static str, Op, u8)] = Comparisons::OPERATORS;
    const FUNCTIONS: &'static [(&'static str, Op)] = Comparisons::FUNCTIONS;
    const POWER: Option<Op> = Comparisons::POWER;
    const NUMBER: Type = Comparisons::NUMBER;
    const FRACTIONS: bool = Comparisons::FRACTIONS;
    const NUMBERS: &'static str = Comparisons::NUMBERS;

    fn number(text: &str) -> Option<f64> {
        Comparisons::number(text)
    }

    fn result(op: Op, word: &str, left: Type, right: Type) -> Result<Type, String> {
        Comparisons::result(op, word, left, right)
    }

    fn negated(ty: Type) -> Result<(), String> {
        Comparisons::negated(ty)
    }

    fn whole(ty: Type) -> Result<(), String> {
        match ty {
            Type::Number => Ok(()),
            Type::Truth => {
                Err("this is a comparison, not a number: write something like `a / b`".to_owned())
            }
        }
    }

    fn negate(value: f64) -> Result<f64, &'static str> {
        Comparisons::negate(value)
    }

    fn apply(op: Op, left: f64, right: f64) -> Result<f64, &'static str> {
        Comparisons::apply(op, left, right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_formula_is_a_number() {
        let numbers = BTreeMap::from([("a".to_owned(), 12.0), ("b".to_owned(), 8.0)]);
        for (text, wanted) in [("a / b", 1.5), ("32", 32.0), ("max(a, b) - 4 * (b - 6)", 4.0)] {
            assert_eq!(
                Quantity::parse(text).unwrap().evaluate(&numbers).unwrap(),
                wanted,
                "{text}"
            );
        }
        let error = Quantity::parse("a > b").unwrap_err();
        assert!(error.message.contains("this is a comparison, not a number"), "{error}");
        let error = Quantity::parse("a / (b - 8)").unwrap().evaluate(&numbers).unwrap_err();
        assert!(error.message.contains("divides by zero"), "{error}");
    }
}
