//! Conditions: comparisons and logic.

use super::Generator;
use super::expression::{Expression, level};
use super::types::Type::Bool;

impl Generator {
    /// A `bool`.
    pub(crate) fn condition(&mut self, depth: u32) -> Expression {
        if depth == 0 {
            if self.random.chance(40)
                && let Some(place) = self.read(0, |place| place.ty == Bool)
            {
                return place;
            }
            let (a, b) = (self.integer(0), self.integer(0));
            return self.comparison(&a, &b);
        }
        match self.random.below(10) {
            0..4 => {
                let (a, b) = (self.integer(depth - 1), self.integer(depth - 1));
                self.comparison(&a, &b)
            }
            4 | 5 => self.float_condition(depth - 1),
            6 if self.family == super::Family::Halves => self.half_condition(depth - 1),
            6 | 7 => {
                let (op, at) = self.random.pick(&[("&&", level::AND), ("||", level::OR)]);
                let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                Expression::binary(&a, op, &b, at, Bool)
            }
            8 => Expression::unary("!", &self.condition(depth - 1), Bool),
            _ => {
                let any = self.integer(depth - 1);
                self.cast(any, Bool)
            }
        }
    }

    /// A comparison, in the type of the usual conversions.
    pub(crate) fn comparison(&mut self, a: &Expression, b: &Expression) -> Expression {
        let op = self.random.pick(&["<", ">", "<=", ">=", "==", "!="]);
        let at = if matches!(op, "==" | "!=") { level::EQUALITY } else { level::RELATION };
        Expression::binary(a, op, b, at, Bool)
    }

    /// A condition that is the same in all threads of a block, so that they stay together.
    pub(crate) fn uniform_condition(&mut self) -> Expression {
        let place = self.read(0, |place| place.uniform && place.ty.is_integer());
        let a = place.unwrap_or_else(|| Expression::primary("blockDim.x", super::types::Type::U32));
        let value = u64::from(self.random.below(1000));
        let b = self.number(value, a.ty.promoted());
        self.comparison(&a, &b)
    }
}
