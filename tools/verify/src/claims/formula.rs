//! What a claim says, as a comparison over named numbers: `before / after >= 1.9 && loads < 10`.
//!
//! The numbers are measured, so all arithmetic is on floats. A formula is a truth: that `a + b` is
//! not one, or that `a < b < c` compares a truth with a number, is an error when it is read, with
//! its column. It is kept in postfix order, so only reading recurses, and that is bounded.

use crate::expression::ExpressionError as Error;
use crate::suggest::suggestion_or_list;
use std::collections::BTreeMap;

/// What the names stand for.
pub(crate) type Numbers = BTreeMap<String, f64>;

/// Parentheses may nest this deep.
const DEPTH: u32 = 64;

const FUNCTIONS: [(&str, Op); 2] = [("min", Op::Min), ("max", Op::Max)];

/// A formula, read.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula {
    text: String,
    steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq)]
enum Step {
    Number(f64),
    Name(String, u32),
    Negate,
    Apply(Op),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Op {
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

/// The operators, the longer spelling first, and how strongly they bind.
const OPERATORS: [(&str, Op, u8); 12] = [
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

/// What stands on the stack while a formula is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Number,
    Truth,
}

impl Formula {
    /// Reads the whole text.
    ///
    /// # Errors
    /// Where it is no comparison; the column counts characters from 0.
    pub fn parse(text: &str) -> Result<Formula, Error> {
        let mut reader =
            Reader { text: text.chars().collect(), at: 0, depth: 0, steps: Vec::new() };
        let what = reader.binary(0)?;
        reader.skip_blanks();
        if let Some(c) = reader.peek() {
            return Err(reader.error(format!("expected an operator, found `{c}`")));
        }
        if what == Type::Number {
            let message = "this is a number, not a comparison: write something like `a / b >= 2`";
            return Err(Error { column: 0, message: message.to_owned() });
        }
        Ok(Formula { text: text.trim().to_owned(), steps: reader.steps })
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names that it reads, with their columns.
    pub(crate) fn names(&self) -> impl Iterator<Item = (&str, u32)> {
        self.steps.iter().filter_map(|step| match step {
            Step::Name(name, column) => Some((name.as_str(), *column)),
            _ => None,
        })
    }

    /// Whether it is true of these numbers. `Err` where a name has none or the result is no
    /// number (a division by zero).
    pub(crate) fn is_true(&self, numbers: &Numbers) -> Result<bool, String> {
        let mut stack: Vec<f64> = Vec::new();
        for step in &self.steps {
            let value = match step {
                Step::Number(value) => *value,
                Step::Name(name, _) => {
                    *numbers.get(name).ok_or_else(|| format!("`{name}` has no value"))?
                }
                Step::Negate => -stack.pop().unwrap_or(f64::NAN),
                Step::Apply(op) => {
                    let right = stack.pop().unwrap_or(f64::NAN);
                    let left = stack.pop().unwrap_or(f64::NAN);
                    op.apply(left, right)
                }
            };
            if !value.is_finite() {
                return Err(format!(
                    "`{}` is no number here: something is divided by zero",
                    self.text
                ));
            }
            stack.push(value);
        }
        Ok(stack.pop() == Some(1.0))
    }
}

impl Op {
    fn apply(self, a: f64, b: f64) -> f64 {
        let truth = |truth: bool| f64::from(u8::from(truth));
        match self {
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
        }
    }

    /// What it takes, and what comes out.
    fn types(self) -> (Type, Type) {
        match self {
            Op::Or | Op::And => (Type::Truth, Type::Truth),
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual | Op::Equal | Op::Differs => {
                (Type::Number, Type::Truth)
            }
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Min | Op::Max => {
                (Type::Number, Type::Number)
            }
        }
    }
}

/// Precedence climbing over characters.
struct Reader {
    text: Vec<char>,
    at: usize,
    depth: u32,
    steps: Vec<Step>,
}

impl Reader {
    fn binary(&mut self, least: u8) -> Result<Type, Error> {
        let mut left = self.unary()?;
        while let Some((word, op, strength)) = self.operator()
            && strength >= least
        {
            let column = self.at as u32;
            self.at += word.len();
            let right = self.binary(strength + 1)?;
            let (takes, gives) = op.types();
            if left != takes || right != takes {
                let message = match takes {
                    Type::Number => format!(
                        "`{word}` takes numbers, and a comparison is none: write `a < b && b < c`"
                    ),
                    Type::Truth => format!("`{word}` takes comparisons on both sides"),
                };
                return Err(Error { column, message });
            }
            left = gives;
            self.steps.push(Step::Apply(op));
        }
        Ok(left)
    }

    fn operator(&mut self) -> Option<(&'static str, Op, u8)> {
        self.skip_blanks();
        let here = |word: &str| {
            word.chars().enumerate().all(|(i, c)| self.text.get(self.at + i) == Some(&c))
        };
        OPERATORS.into_iter().find(|(word, ..)| here(word))
    }

    fn unary(&mut self) -> Result<Type, Error> {
        self.skip_blanks();
        if self.depth >= DEPTH {
            return Err(self.error(format!("a formula nests at most {DEPTH} deep")));
        }
        self.depth += 1;
        let what = if self.peek() == Some('-') {
            let column = self.at as u32;
            self.at += 1;
            if self.unary()? == Type::Truth {
                let message = "`-` takes a number".to_owned();
                return Err(Error { column, message });
            }
            self.steps.push(Step::Negate);
            Type::Number
        } else {
            self.primary()?
        };
        self.depth -= 1;
        Ok(what)
    }

    fn primary(&mut self) -> Result<Type, Error> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let what = self.binary(0)?;
                self.expect(')')?;
                Ok(what)
            }
            Some(c) if c.is_ascii_digit() => self.number(),
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                let column = self.at as u32;
                let name = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
                self.skip_blanks();
                if self.peek() != Some('(') {
                    self.steps.push(Step::Name(name, column));
                    return Ok(Type::Number);
                }
                let Some((_, op)) = FUNCTIONS.iter().find(|(f, _)| *f == name) else {
                    let hint = suggestion_or_list(&name, FUNCTIONS.iter().map(|(f, _)| *f));
                    return Err(Error {
                        column,
                        message: format!("unknown function `{name}`{hint}"),
                    });
                };
                self.at += 1;
                let first = self.binary(0)?;
                self.expect(',')?;
                let second = self.binary(0)?;
                self.expect(')')?;
                if (first, second) != (Type::Number, Type::Number) {
                    return Err(Error { column, message: format!("`{name}` takes two numbers") });
                }
                self.steps.push(Step::Apply(*op));
                Ok(Type::Number)
            }
            Some(c) => Err(self.error(format!("expected a number or a name, found `{c}`"))),
            None => Err(self.error("expected a number or a name, found nothing".to_owned())),
        }
    }

    /// `2`, `1.9`, `1e-5`.
    fn number(&mut self) -> Result<Type, Error> {
        let column = self.at as u32;
        let mut before = ' ';
        let text = self.take_while(|c| {
            let exponent = before == 'e' && (c == '-' || c == '+');
            before = c;
            exponent || c.is_ascii_alphanumeric() || c == '.' || c == '_'
        });
        match text.replace('_', "").parse() {
            Ok(value) => {
                self.steps.push(Step::Number(value));
                Ok(Type::Number)
            }
            Err(_) => Err(Error { column, message: format!("`{text}` is not a number") }),
        }
    }

    fn expect(&mut self, wanted: char) -> Result<(), Error> {
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

    fn take_while(&mut self, mut keep: impl FnMut(char) -> bool) -> String {
        let start = self.at;
        while self.peek().is_some_and(&mut keep) {
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

    fn error(&self, message: String) -> Error {
        Error { column: self.at as u32, message }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn truth(text: &str) -> Result<bool, String> {
        let numbers = Numbers::from([("a".to_owned(), 12.0), ("b".to_owned(), 4.0)]);
        let formula = Formula::parse(text).map_err(|e| format!("{}: {}", e.column, e.message))?;
        formula.is_true(&numbers)
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
        assert!(truth("a / (b - 4) > 1").unwrap_err().contains("divided by zero"));
        assert!(truth("c > 1").unwrap_err().contains("`c` has no value"));
        assert!(Formula::parse(&"(".repeat(100_000)).is_err());
    }
}
