//! A Pratt parser (precedence climbing) for infix expressions over names, generic over the language:
//! its values, its operators, and which operands each operator takes.
//!
//! An expression is kept in postfix order. Evaluating and dropping it then needs no recursion,
//! however long the text is; only parsing recurses, up to [`DEPTH`].

use crate::suggest::{suggestion, suggestion_or_list};
use std::collections::BTreeMap;
use std::fmt::{self, Debug};

/// Parentheses and unary operators nest at most this deep.
const DEPTH: u32 = 64;

/// The values and operators of an expression.
pub trait Language {
    /// What a number, a name and an expression stand for.
    type Value: Copy + Debug + PartialEq;
    /// A binary operator or a function.
    type Op: Copy + Debug + PartialEq + 'static;
    /// What an expression is known to be before it is evaluated: a number or a truth value.
    type Type: Copy;

    /// The binary operators: spelling, operator, and how strongly it binds. `<=` comes before `<`.
    const OPERATORS: &'static [(&'static str, Self::Op, u8)];
    /// The functions of two operands.
    const FUNCTIONS: &'static [(&'static str, Self::Op)];
    /// The operator `^`, if the language has it: right-associative, it binds tightest.
    const POWER: Option<Self::Op>;
    /// The type of numbers and names.
    const NUMBER: Self::Type;
    /// Whether numbers may have a fraction and an exponent.
    const FRACTIONS: bool;
    /// What a number must be, for messages: `a 64-bit integer`.
    const NUMBERS: &'static str;

    /// The value of a number's text; `None` if it is not in the language.
    fn number(text: &str) -> Option<Self::Value>;

    /// The type of an operator's result.
    ///
    /// # Errors
    /// If an operand has the wrong type; `word` is the operator as it was written.
    fn result(
        op: Self::Op,
        word: &str,
        left: Self::Type,
        right: Self::Type,
    ) -> Result<Self::Type, String>;

    /// Whether a value of this type can be negated.
    ///
    /// # Errors
    /// If it cannot.
    fn negated(_: Self::Type) -> Result<(), String> {
        Ok(())
    }

    /// Whether a whole expression may have this type.
    ///
    /// # Errors
    /// If it may not.
    fn whole(_: Self::Type) -> Result<(), String> {
        Ok(())
    }

    /// The negative of a value.
    ///
    /// # Errors
    /// A verb phrase about the expression: `does not fit in 64 bits`.
    fn negate(value: Self::Value) -> Result<Self::Value, &'static str>;

    /// An operator's result.
    ///
    /// # Errors
    /// A verb phrase about the expression: `divides by zero`.
    fn apply(
        op: Self::Op,
        left: Self::Value,
        right: Self::Value,
    ) -> Result<Self::Value, &'static str>;
}

/// A parsed expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Infix<L: Language> {
    text: String,
    steps: Vec<Step<L>>,
}

#[derive(Debug, Clone, PartialEq)]
enum Step<L: Language> {
    Number(L::Value),
    Name { name: String, column: u32 },
    Negate,
    Apply(L::Op),
}

/// What is wrong with an expression, and where in its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpressionError {
    /// The number of characters before the place.
    pub column: u32,
    /// One sentence without a full stop.
    pub message: String,
    /// The words that may stand there, if it is one of a list: for an editor. A page has none.
    #[cfg(not(target_arch = "wasm32"))]
    pub expected: Vec<String>,
}

impl ExpressionError {
    /// An error behind this number of characters.
    pub fn new(column: u32, message: impl Into<String>) -> ExpressionError {
        ExpressionError {
            column,
            message: message.into(),
            #[cfg(not(target_arch = "wasm32"))]
            expected: Vec::new(),
        }
    }
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ExpressionError {}

impl<L: Language> Infix<L> {
    /// Parses the whole text.
    ///
    /// # Errors
    /// If it is not an expression of the language; the message names the character or the operator.
    pub fn parse(text: &str) -> Result<Infix<L>, ExpressionError> {
        let mut parser =
            Parser::<L> { text: text.chars().collect(), at: 0, depth: 0, steps: Vec::new() };
        let ty = parser.binary(0)?;
        parser.skip_blanks();
        if let Some(c) = parser.peek() {
            return Err(parser.error(format!("expected an operator, found `{c}`")));
        }
        L::whole(ty).map_err(|message| ExpressionError::new(0, message))?;
        Ok(Infix { text: text.trim().to_owned(), steps: parser.steps })
    }

    /// The expression of a single number.
    pub fn of(value: L::Value, text: String) -> Infix<L> {
        Infix { text, steps: vec![Step::Number(value)] }
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names that it reads, each with the number of characters before it.
    pub fn names(&self) -> impl Iterator<Item = (&str, u32)> {
        self.steps.iter().filter_map(|step| match step {
            Step::Name { name, column } => Some((name.as_str(), *column)),
            _ => None,
        })
    }

    /// Checks that it reads only names in `known`.
    ///
    /// # Errors
    /// The first unknown name, with a suggestion.
    pub fn check_names<'a>(
        &self,
        known: impl Iterator<Item = &'a str> + Clone,
    ) -> Result<(), ExpressionError> {
        match self.names().find(|(name, _)| !known.clone().any(|k| k == *name)) {
            None => Ok(()),
            Some((name, column)) => {
                let hint = suggestion(name, known.clone());
                let message = format!("unknown name `{name}`{hint}");
                Err(ExpressionError {
                    #[cfg(not(target_arch = "wasm32"))]
                    expected: known.map(str::to_owned).collect(),
                    ..ExpressionError::new(column, message)
                })
            }
        }
    }

    /// Its value.
    ///
    /// # Errors
    /// An unknown name, a division by zero, or a value that the language does not have.
    pub fn evaluate(
        &self,
        values: &BTreeMap<String, L::Value>,
    ) -> Result<L::Value, ExpressionError> {
        self.check_names(values.keys().map(String::as_str))?;
        let fail = |what: &str| ExpressionError::new(0, format!("`{}` {what}", self.text));
        let mut stack: Vec<L::Value> = Vec::new();
        for step in &self.steps {
            let value = match step {
                Step::Number(value) => Some(*value),
                Step::Name { name, .. } => values.get(name).copied(),
                Step::Negate => match stack.pop() {
                    Some(value) => Some(L::negate(value).map_err(fail)?),
                    None => None,
                },
                Step::Apply(op) => match (stack.pop(), stack.pop()) {
                    (Some(right), Some(left)) => Some(L::apply(*op, left, right).map_err(fail)?),
                    _ => None,
                },
            };
            stack.extend(value);
        }
        stack.pop().ok_or_else(|| fail("has no value"))
    }
}

struct Parser<L: Language> {
    text: Vec<char>,
    at: usize,
    depth: u32,
    steps: Vec<Step<L>>,
}

impl<L: Language> Parser<L> {
    fn binary(&mut self, least: u8) -> Result<L::Type, ExpressionError> {
        let mut left = self.unary()?;
        while let Some((word, op, strength)) = self.operator()
            && strength >= least
        {
            let column = self.at as u32;
            self.at += word.len();
            if L::POWER.is_some() && word == "*" && self.peek() == Some('*') {
                let message = "a power is written with `^`, as in `2^12`";
                return Err(ExpressionError::new(column, message));
            }
            let right = self.binary(strength + 1)?;
            left = L::result(op, word, left, right)
                .map_err(|message| ExpressionError::new(column, message))?;
            self.steps.push(Step::Apply(op));
        }
        Ok(left)
    }

    /// The binary operator at this place, other than `^`.
    fn operator(&mut self) -> Option<(&'static str, L::Op, u8)> {
        self.skip_blanks();
        let here = |word: &str| {
            word.chars().enumerate().all(|(i, c)| self.text.get(self.at + i) == Some(&c))
        };
        L::OPERATORS.iter().copied().find(|(word, ..)| here(word))
    }

    fn unary(&mut self) -> Result<L::Type, ExpressionError> {
        self.skip_blanks();
        if self.depth >= DEPTH {
            return Err(self.error(format!("an expression nests at most {DEPTH} deep")));
        }
        self.depth += 1;
        let column = self.at as u32;
        let ty = if self.peek() == Some('-') {
            self.at += 1;
            let ty = self.unary()?;
            L::negated(ty).map_err(|message| ExpressionError::new(column, message))?;
            self.steps.push(Step::Negate);
            ty
        } else {
            let base = self.primary()?;
            self.skip_blanks();
            match L::POWER {
                Some(op) if self.peek() == Some('^') => {
                    self.at += 1;
                    let exponent = self.unary()?;
                    self.steps.push(Step::Apply(op));
                    L::result(op, "^", base, exponent)
                        .map_err(|message| ExpressionError::new(column, message))?
                }
                _ => base,
            }
        };
        self.depth -= 1;
        Ok(ty)
    }

    fn primary(&mut self) -> Result<L::Type, ExpressionError> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let ty = self.binary(0)?;
                self.expect(')')?;
                Ok(ty)
            }
            Some(c) if c.is_ascii_digit() => self.number(),
            Some(c) if c.is_ascii_alphabetic() || c == '_' => self.name_or_call(),
            Some(c) => Err(self.error(format!("expected a number or a name, found `{c}`"))),
            None => Err(self.error("expected a number or a name, found nothing".to_owned())),
        }
    }

    /// `2`, `1_000`; with fractions also `1.9` and `1e-5`.
    fn number(&mut self) -> Result<L::Type, ExpressionError> {
        let column = self.at as u32;
        let mut before = ' ';
        let text = self.take_while(|c| {
            let exponent = before == 'e' && (c == '-' || c == '+');
            before = c;
            c.is_ascii_alphanumeric() || c == '_' || L::FRACTIONS && (c == '.' || exponent)
        });
        let text = match L::FRACTIONS {
            true => text,
            // `2.5` is one wrong number.
            false => text + &self.take_while(|c| c == '.' || c.is_ascii_digit()),
        };
        let Some(value) = L::number(&text.replace('_', "")) else {
            let message = format!("`{text}` is not {}", L::NUMBERS);
            return Err(ExpressionError::new(column, message));
        };
        self.steps.push(Step::Number(value));
        Ok(L::NUMBER)
    }

    fn name_or_call(&mut self) -> Result<L::Type, ExpressionError> {
        let column = self.at as u32;
        let name = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        self.skip_blanks();
        if self.peek() != Some('(') {
            self.steps.push(Step::Name { name, column });
            return Ok(L::NUMBER);
        }
        let Some((_, op)) = L::FUNCTIONS.iter().find(|(f, _)| *f == name) else {
            let hint = suggestion_or_list(&name, L::FUNCTIONS.iter().map(|(f, _)| *f));
            let message = format!("unknown function `{name}`{hint}");
            return Err(ExpressionError::new(column, message));
        };
        self.at += 1;
        let first = self.binary(0)?;
        self.expect(',')?;
        let second = self.binary(0)?;
        self.expect(')')?;
        self.steps.push(Step::Apply(*op));
        L::result(*op, &name, first, second)
            .map_err(|message| ExpressionError::new(column, message))
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

    fn error(&self, message: String) -> ExpressionError {
        ExpressionError::new(self.at as u32, message)
    }
}
