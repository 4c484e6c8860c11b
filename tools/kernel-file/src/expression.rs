//! Integer expressions over names: `(n + 511) / 512`, `2^24`, `min(n, 4 * blocks)`.
//!
//! A directive says sizes, grids and scalars as functions of `n`, so that one file describes every
//! size that a reader may type. All arithmetic is on 64-bit signed integers and checked: an
//! overflow, a division by zero or an unknown name is an error that quotes the expression.
//!
//! An expression is kept in postfix order. Evaluating it (and dropping it) then needs no recursion,
//! however long the text is; only parsing recurses, and it counts how deep.

use crate::suggest::suggestion;
use std::collections::BTreeMap;
use std::fmt;

/// What names stand for.
pub type Scope = BTreeMap<String, i64>;

/// Parentheses may nest this deep.
const DEPTH: u32 = 64;

/// The functions: each takes two operands.
const FUNCTIONS: [(&str, Op); 2] = [("min", Op::Min), ("max", Op::Max)];

/// An expression, parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    text: String,
    steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Number(i64),
    Name { name: String, column: u32 },
    Negate,
    Apply(Op),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Op {
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

/// What is wrong with an expression, and where in its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpressionError {
    /// Characters before the place.
    pub column: u32,
    /// One sentence without a full stop.
    pub message: String,
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ExpressionError {}

impl Expression {
    /// Parses the whole text.
    ///
    /// # Errors
    /// Where it is not an expression; the message names the character.
    pub fn parse(text: &str) -> Result<Expression, ExpressionError> {
        let mut parser =
            Parser { text: text.chars().collect(), at: 0, depth: 0, steps: Vec::new() };
        parser.binary(0)?;
        parser.skip_blanks();
        match parser.peek() {
            None => Ok(Expression { text: text.trim().to_owned(), steps: parser.steps }),
            Some(c) => Err(parser.error(format!("expected an operator, found `{c}`"))),
        }
    }

    /// A number.
    pub fn number(value: i64) -> Expression {
        Expression { text: value.to_string(), steps: vec![Step::Number(value)] }
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names that it reads.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().filter_map(|s| match s {
            Step::Name { name, .. } => Some(name.as_str()),
            _ => None,
        })
    }

    /// The first name that is not in `known`, as an error with a suggestion.
    ///
    /// # Errors
    /// Where there is one.
    pub fn check_names<'a>(
        &self,
        known: impl Iterator<Item = &'a str> + Clone,
    ) -> Result<(), ExpressionError> {
        for step in &self.steps {
            if let Step::Name { name, column } = step
                && !known.clone().any(|k| k == name)
            {
                let hint = suggestion(name, known.clone());
                let message = format!("unknown name `{name}`{hint}");
                return Err(ExpressionError { column: *column, message });
            }
        }
        Ok(())
    }

    /// Its value.
    ///
    /// # Errors
    /// An unknown name, a division by zero, or a value beyond 64 bits.
    pub fn evaluate(&self, scope: &Scope) -> Result<i64, ExpressionError> {
        self.check_names(scope.keys().map(String::as_str))?;
        let fail = |message: String| ExpressionError { column: 0, message };
        let mut stack: Vec<i64> = Vec::new();
        for step in &self.steps {
            let value = match step {
                Step::Number(value) => Some(*value),
                Step::Name { name, .. } => scope.get(name).copied(),
                Step::Negate => stack.pop().and_then(i64::checked_neg),
                Step::Apply(op) => {
                    let right = stack.pop().unwrap_or(0);
                    let left = stack.pop().unwrap_or(0);
                    if right == 0 && matches!(op, Op::Div | Op::Rem) {
                        return Err(fail(format!("`{}` divides by zero", self.text)));
                    }
                    op.apply(left, right)
                }
            };
            let Some(value) = value else {
                return Err(fail(format!("the value of `{}` does not fit in 64 bits", self.text)));
            };
            stack.push(value);
        }
        Ok(stack.pop().unwrap_or(0))
    }
}

impl Op {
    fn apply(self, a: i64, b: i64) -> Option<i64> {
        let small = u32::try_from(b).ok();
        match self {
            Op::Add => a.checked_add(b),
            Op::Sub => a.checked_sub(b),
            Op::Mul => a.checked_mul(b),
            Op::Div => a.checked_div(b),
            Op::Rem => a.checked_rem(b),
            Op::Shl => a.checked_mul(2i64.checked_pow(small?)?),
            Op::Shr => Some(a >> small?.min(63)),
            Op::Pow => a.checked_pow(small?),
            Op::Min => Some(a.min(b)),
            Op::Max => Some(a.max(b)),
        }
    }
}

/// Precedence climbing over characters, as C has it; `^` is a power and binds tightest.
struct Parser {
    text: Vec<char>,
    at: usize,
    depth: u32,
    steps: Vec<Step>,
}

impl Parser {
    fn binary(&mut self, least: u8) -> Result<(), ExpressionError> {
        self.unary()?;
        while let Some((op, strength, width)) = self.operator()
            && strength >= least
        {
            self.at += width;
            self.binary(strength + 1)?;
            self.steps.push(Step::Apply(op));
        }
        Ok(())
    }

    /// The binary operator that stands here (but `^`), how strongly it binds, and its width.
    fn operator(&mut self) -> Option<(Op, u8, usize)> {
        self.skip_blanks();
        Some(match (self.peek()?, self.text.get(self.at + 1)) {
            ('<', Some('<')) => (Op::Shl, 0, 2),
            ('>', Some('>')) => (Op::Shr, 0, 2),
            ('+', _) => (Op::Add, 1, 1),
            ('-', _) => (Op::Sub, 1, 1),
            ('*', _) => (Op::Mul, 2, 1),
            ('/', _) => (Op::Div, 2, 1),
            ('%', _) => (Op::Rem, 2, 1),
            _ => return None,
        })
    }

    fn unary(&mut self) -> Result<(), ExpressionError> {
        self.skip_blanks();
        if self.depth >= DEPTH {
            return Err(self.error(format!("an expression nests at most {DEPTH} deep")));
        }
        self.depth += 1;
        if self.peek() == Some('-') {
            self.at += 1;
            self.unary()?;
            self.steps.push(Step::Negate);
        } else {
            self.primary()?;
            self.skip_blanks();
            if self.peek() == Some('^') {
                self.at += 1;
                self.unary()?;
                self.steps.push(Step::Apply(Op::Pow));
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn primary(&mut self) -> Result<(), ExpressionError> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                self.binary(0)?;
                self.expect(')')
            }
            Some(c) if c.is_ascii_digit() => {
                let column = self.at as u32;
                let digits = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
                let value = digits.replace('_', "").parse().map_err(|_| ExpressionError {
                    column,
                    message: format!("`{digits}` is not a 64-bit integer"),
                })?;
                self.steps.push(Step::Number(value));
                Ok(())
            }
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                let column = self.at as u32;
                let name = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
                self.skip_blanks();
                if self.peek() != Some('(') {
                    self.steps.push(Step::Name { name, column });
                    return Ok(());
                }
                let Some((_, op)) = FUNCTIONS.iter().find(|(f, _)| *f == name) else {
                    let hint = suggestion(&name, FUNCTIONS.iter().map(|(f, _)| *f));
                    let message = format!("unknown function `{name}`{hint}");
                    return Err(ExpressionError { column, message });
                };
                self.at += 1;
                self.binary(0)?;
                self.expect(',')?;
                self.binary(0)?;
                self.expect(')')?;
                self.steps.push(Step::Apply(*op));
                Ok(())
            }
            Some(c) => Err(self.error(format!("expected a number or a name, found `{c}`"))),
            None => Err(self.error("expected a number or a name, found nothing".to_owned())),
        }
    }

    fn expect(&mut self, wanted: char) -> Result<(), ExpressionError> {
        self.skip_blanks();
        match self.peek() {
            Some(c) if c == wanted => {
                self.at += 1;
                Ok(())
            }
            Some(c) => Err(self.error(format!("expected `{wanted}`, found `{c}`"))),
            None => Err(self.error(format!("expected `{wanted}`, found nothing"))),
        }
    }

    fn take_while(&mut self, keep: impl Fn(char) -> bool) -> String {
        let start = self.at;
        while self.peek().is_some_and(&keep) {
            self.at += 1;
        }
        self.text[start..self.at].iter().collect()
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn error(&self, message: String) -> ExpressionError {
        ExpressionError { column: self.at as u32, message }
    }
}

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
            ("2^63", "0: the value of `2^63` does not fit in 64 bits"),
            ("1 << 64", "0: the value of `1 << 64` does not fit in 64 bits"),
            ("2^(0-1)", "0: the value of `2^(0-1)` does not fit in 64 bits"),
            ("4 * block", "4: unknown name `block`; did you mean `blocks`?"),
            ("mni(1, 2)", "0: unknown function `mni`; did you mean `min`?"),
            ("(n + 511", "8: expected `)`, found nothing"),
            ("n +", "3: expected a number or a name, found nothing"),
            ("n n", "2: expected an operator, found `n`"),
            ("99999999999999999999", "0: `99999999999999999999` is not a 64-bit integer"),
            ("0x10", "0: `0x10` is not a 64-bit integer"),
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
