//! The conditions of `#if` and `#elif`, evaluated by precedence climbing: integers, `defined`, and
//! C's operators.

use super::super::literal;
use super::super::token::{Kind, Token};
use super::Preprocessor;
use crate::diagnostic::Span;

/// The limit of nested parentheses and operators.
const MAX_DEPTH: usize = 100;

impl Preprocessor<'_> {
    /// Whether the condition holds. An identifier that is not a macro counts as 0, as in C.
    /// `defined` and `__has_include` are replaced first, so that their operands are not expanded, and
    /// again in what macros gave.
    pub(super) fn condition(&mut self, span: Span, line: &[Token]) -> bool {
        let plain = self.replaced(line);
        let expanded: Vec<Token> = self.expand(plain).into_iter().map(Token::plain).collect();
        let tokens = self.replaced(&expanded);
        if self.budget.spent {
            return false;
        }
        let mut reader = Reader { tokens: &tokens, at: 0, depth: 0 };
        match reader.binary(0) {
            Some(value) if reader.at == tokens.len() => value != 0,
            _ => {
                let end = tokens.get(reader.at).map_or(span, |t| t.span);
                self.error(
                    span.to(end),
                    "this is not a condition that the preprocessor can compute",
                );
                false
            }
        }
    }
}

impl Preprocessor<'_> {
    /// The words of a condition, with numbers in place of `defined` and `__has_include`.
    fn replaced(&mut self, line: &[Token]) -> Vec<Token> {
        let mut plain = Vec::new();
        let mut at = 0;
        while at < line.len() {
            if line[at].is_word("defined") {
                let bracket = line.get(at + 1).is_some_and(|t| t.is("("));
                let name = line.get(at + if bracket { 2 } else { 1 });
                let value = name.is_some_and(|n| self.knows(n));
                plain.push(truth(value, &line[at]));
                at += if bracket { 4 } else { 2 };
            } else if line[at].is_word(HAS_INCLUDE) {
                let rest = &line[at + 1..];
                let length = rest.iter().take_while(|t| !t.is(")")).count();
                let value = self.has_include(line[at].span, rest.get(1..length).unwrap_or(&[]));
                plain.push(truth(value, &line[at]));
                at += 2 + length;
            } else if line[at].is_word(HAS_ATTRIBUTE) {
                let rest = &line[at + 1..];
                let length = rest.iter().take_while(|t| !t.is(")")).count();
                let known = |t: &Token| ATTRIBUTES.iter().any(|name| t.is_word(name));
                plain.push(truth(rest[..length].iter().any(known), &line[at]));
                at += 2 + length;
            } else {
                plain.push(line[at].clone());
                at += 1;
            }
        }
        plain
    }

    /// Whether `defined` holds for a name.
    pub(super) fn knows(&self, name: &Token) -> bool {
        let word = |of: &&str| name.is_word(of);
        self.macros.contains_key(&name.text)
            || name.is_word(HAS_INCLUDE)
            || name.is_word(HAS_ATTRIBUTE)
            || MACROS_OF_NVCC.iter().any(word)
    }

    /// Whether `#include` with these words would find a file.
    fn has_include(&mut self, span: Span, words: &[Token]) -> bool {
        let Some((name, quoted)) = Preprocessor::included_name(words) else { return false };
        matches!(self.included(span.file, &name, quoted), Ok(Some(_)))
            || super::headers::text(&name, self.environment).is_some()
    }
}

/// Words of CUDA's language that are macros to nvcc: programs that other compilers take, too, define
/// them under `#ifndef`. The parser knows them, so no macro replaces them here.
const MACROS_OF_NVCC: [&str; 13] = [
    "__align__",
    "__cluster_dims__",
    "__constant__",
    "__device__",
    "__forceinline__",
    "__global__",
    "__grid_constant__",
    "__host__",
    "__inline__",
    "__launch_bounds__",
    "__managed__",
    "__restrict__",
    "__shared__",
];

/// A condition's operator that names a header.
const HAS_INCLUDE: &str = "__has_include";

/// A condition's operator that names an attribute.
const HAS_ATTRIBUTE: &str = "__has_cpp_attribute";

/// The attributes of C++.
const ATTRIBUTES: [&str; 8] = [
    "carries_dependency",
    "deprecated",
    "fallthrough",
    "likely",
    "maybe_unused",
    "nodiscard",
    "noreturn",
    "unlikely",
];

/// The number that stands for an operator with its operand.
fn truth(value: bool, operator: &Token) -> Token {
    let text = if value { "1" } else { "0" };
    Token { kind: Kind::Number, text: text.into(), ..operator.clone() }
}

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
}

/// An operator's precedence: a higher one binds more tightly.
fn level(op: &str) -> Option<u8> {
    Some(match op {
        "?" => 1,
        "||" => 2,
        "&&" => 3,
        "|" => 4,
        "^" => 5,
        "&" => 6,
        "==" | "!=" => 7,
        "<" | ">" | "<=" | ">=" => 8,
        "<<" | ">>" => 9,
        "+" | "-" => 10,
        "*" | "/" | "%" => 11,
        _ => return None,
    })
}

impl Reader<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", |t| &*t.text)
    }

    /// Evaluates operators of precedence `least` and above.
    fn binary(&mut self, least: u8) -> Option<i64> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let mut left = self.unary()?;
        while let Some(rank) = level(self.peek()).filter(|r| *r >= least) {
            let op = self.peek().to_string();
            self.at += 1;
            if op == "?" {
                let yes = self.binary(0)?;
                (self.peek() == ":").then_some(())?;
                self.at += 1;
                let no = self.binary(1)?;
                left = if left != 0 { yes } else { no };
                continue;
            }
            let right = self.binary(rank + 1)?;
            left = match op.as_str() {
                "||" => i64::from(left != 0 || right != 0),
                "&&" => i64::from(left != 0 && right != 0),
                "|" => left | right,
                "^" => left ^ right,
                "&" => left & right,
                "==" => i64::from(left == right),
                "!=" => i64::from(left != right),
                "<" => i64::from(left < right),
                ">" => i64::from(left > right),
                "<=" => i64::from(left <= right),
                ">=" => i64::from(left >= right),
                "<<" => left.wrapping_shl(right as u32),
                ">>" => left.wrapping_shr(right as u32),
                "+" => left.wrapping_add(right),
                "-" => left.wrapping_sub(right),
                "*" => left.wrapping_mul(right),
                "/" => left.checked_div(right)?,
                _ => left.checked_rem(right)?,
            };
        }
        self.depth -= 1;
        Some(left)
    }

    fn unary(&mut self) -> Option<i64> {
        let token = self.tokens.get(self.at)?.clone();
        self.at += 1;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let value = match &*token.text {
            "!" => i64::from(self.unary()? == 0),
            "-" => self.unary()?.wrapping_neg(),
            "+" => self.unary()?,
            "~" => !self.unary()?,
            "(" => {
                let value = self.binary(0)?;
                (self.peek() == ")").then_some(())?;
                self.at += 1;
                value
            }
            "true" => 1,
            _ if token.kind == Kind::Number => literal::integer(&token.text)?.0 as i64,
            // A `char` is signed.
            _ if token.kind == Kind::Char => match *literal::unescape(&token.text)? {
                [byte] => i64::from(byte as i8),
                _ => return None,
            },
            _ if token.kind == Kind::Ident => 0,
            _ => return None,
        };
        self.depth -= 1;
        Some(value)
    }
}
