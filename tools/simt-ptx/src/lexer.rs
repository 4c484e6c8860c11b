//! The lexer: splits the text of an `asm` statement into PTX tokens.
//!
//! It also reads what only an `asm` statement has: `%%` is the character `%`, and `%0` and `%[name]`
//! refer to operands of the statement.

use crate::error::{Lowered, error};
use crate::text::Text;
use simt_machine::diagnostic::Span;

/// The kind of a token.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// A name: `add`, `r1`, `%tid`, `$L1`. A directive or modifier is a dot and a name.
    Word(String),
    /// An integer, with its low 64 bits.
    Int(u64),
    /// A float: its bits as `f64`, or as `f32` if it was written so (`0f3F800000`).
    Float(Float),
    /// An operand of the statement, by number.
    Argument(usize),
    /// An operand of the statement, by name.
    Named(String),
    /// A character of punctuation; `::` is one, too.
    Punct(&'static str),
    /// The end.
    End,
}

/// A floating-point literal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Float {
    /// `0f` and eight digits.
    Single(u32),
    /// Any other: the bits of a binary64.
    Double(u64),
}

/// A token with its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

/// Punctuation, `::` first: the first match is the longest.
pub(crate) const PUNCTUATION: [&str; 19] = [
    "::", "{", "}", "[", "]", "(", ")", "<", ">", ",", ";", ":", ".", "+", "-", "!", "|", "@", "=",
];

/// Characters that may follow in a word.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

/// Splits the text; the last token is [`Kind::End`].
pub(crate) fn lex(text: &Text) -> Lowered<Vec<Token>> {
    let mut lexer = Lexer { text, bytes: text.bytes(), at: 0 };
    let mut out = Vec::new();
    loop {
        lexer.skip_space()?;
        let start = lexer.at;
        let kind = lexer.token()?;
        let end = kind == Kind::End;
        out.push(Token { kind, span: text.span(start, lexer.at) });
        if end {
            return Ok(out);
        }
    }
}

struct Lexer<'t> {
    text: &'t Text,
    bytes: &'t [u8],
    at: usize,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn error<T>(&self, start: usize, message: impl Into<String>) -> Lowered<T> {
        error(self.text.span(start, self.at.max(start + 1)), message)
    }

    /// Skips white space and comments.
    fn skip_space(&mut self) -> Lowered<()> {
        loop {
            match (self.peek(0), self.peek(1)) {
                (b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c, _) => self.at += 1,
                (b'/', b'/') => {
                    while self.at < self.bytes.len() && self.peek(0) != b'\n' {
                        self.at += 1;
                    }
                }
                (b'/', b'*') => {
                    let open = self.at;
                    self.at += 2;
                    while (self.peek(0), self.peek(1)) != (b'*', b'/') {
                        if self.at >= self.bytes.len() {
                            self.at = open + 2;
                            return self.error(open, "this comment is never closed in the `asm`");
                        }
                        self.at += 1;
                    }
                    self.at += 2;
                }
                _ => return Ok(()),
            }
        }
    }

    fn token(&mut self) -> Lowered<Kind> {
        let start = self.at;
        let byte = self.peek(0);
        if start >= self.bytes.len() {
            return Ok(Kind::End);
        }
        if byte == b'%' {
            return self.percent();
        }
        // A modifier follows a word at once; `.5` does not.
        let apart = start == 0 || !is_word(self.bytes[start - 1]);
        if byte.is_ascii_digit() || byte == b'.' && apart && self.peek(1).is_ascii_digit() {
            return self.number();
        }
        if is_word(byte) {
            return Ok(Kind::Word(self.word()));
        }
        let rest = &self.bytes[start..];
        if let Some(punct) = PUNCTUATION.iter().find(|p| rest.starts_with(p.as_bytes())) {
            self.at += punct.len();
            return Ok(Kind::Punct(punct));
        }
        self.at += 1;
        while self.at < self.bytes.len() && self.bytes[self.at] & 0xC0 == 0x80 {
            self.at += 1;
        }
        let shown = String::from_utf8_lossy(&self.bytes[start..self.at]);
        self.error(start, format!("`{}` is no token of PTX", shown.escape_debug()))
    }

    fn word(&mut self) -> String {
        let start = self.at;
        // `%=` is a number of the `asm` itself, whose labels no other one sees.
        while is_word(self.peek(0)) || self.peek(0) == b'%' && self.peek(1) == b'=' {
            self.at += if is_word(self.peek(0)) { 1 } else { 2 };
        }
        String::from_utf8_lossy(&self.bytes[start..self.at]).replace("%=", "0")
    }

    /// `%0`, `%[name]`, `%%name`, `%name`.
    fn percent(&mut self) -> Lowered<Kind> {
        let start = self.at;
        self.at += 1;
        match self.peek(0) {
            byte if byte.is_ascii_digit() => {
                let digits = self.word();
                match digits.parse() {
                    Ok(number) => Ok(Kind::Argument(number)),
                    Err(_) => self.error(start, format!("`%{digits}` is no operand")),
                }
            }
            b'[' => {
                self.at += 1;
                let name = self.word();
                if self.peek(0) != b']' || name.is_empty() {
                    return self.error(start, "a named operand is written `%[name]`");
                }
                self.at += 1;
                Ok(Kind::Named(name))
            }
            next => {
                if next == b'%' {
                    self.at += 1;
                }
                let name = self.word();
                if name.is_empty() {
                    return self.error(start, "a `%` here needs the number or name of an operand");
                }
                Ok(Kind::Word(format!("%{name}")))
            }
        }
    }

    /// Whether the dot here belongs to a number: `1.5`, `1.e3`, `1.` and no modifier follows.
    fn continues_with_fraction(&self, read: &[u8]) -> bool {
        let (next, after) = (self.peek(1), self.peek(2));
        let exponent =
            matches!(next, b'e' | b'E') && (after.is_ascii_digit() || matches!(after, b'+' | b'-'));
        let number = read.iter().all(u8::is_ascii_digit);
        number && (next.is_ascii_digit() || exponent || !is_word(next))
    }

    fn number(&mut self) -> Lowered<Kind> {
        let start = self.at;
        // `cta_group::1.128x128b`
        let named = self.bytes[..start].ends_with(b"::");
        loop {
            let before = self.at.checked_sub(1).map_or(0, |at| self.bytes[at]);
            let read = &self.bytes[start..self.at];
            let more = match self.peek(0) {
                b'.' => !named && self.continues_with_fraction(read),
                b'+' | b'-' => matches!(before, b'e' | b'E') && !read.starts_with(b"0x"),
                byte => is_word(byte),
            };
            if !more {
                break;
            }
            self.at += 1;
        }
        let text = String::from_utf8_lossy(&self.bytes[start..self.at]).into_owned();
        match value(&text) {
            Some(kind) => Ok(kind),
            // `128B` of `.L2::128B` is a word, and `2d` of `.tensor.2d`.
            None if text.bytes().all(is_word) && self.bytes[..start].ends_with(b":")
                || self.bytes[..start].ends_with(b".") =>
            {
                Ok(Kind::Word(text))
            }
            None => self.error(start, format!("`{text}` is no number of PTX")),
        }
    }
}

/// The value of a numeric literal.
fn value(text: &str) -> Option<Kind> {
    let lower = text.to_ascii_lowercase();
    let digits =
        |prefix: &str, length: usize| lower.strip_prefix(prefix).filter(|d| d.len() == length);
    if let Some(digits) = digits("0f", 8) {
        return u32::from_str_radix(digits, 16).ok().map(|bits| Kind::Float(Float::Single(bits)));
    }
    if let Some(digits) = digits("0d", 16) {
        return u64::from_str_radix(digits, 16).ok().map(|bits| Kind::Float(Float::Double(bits)));
    }
    let plain = lower.strip_suffix('u').unwrap_or(&lower);
    let (radix, digits) = match plain.as_bytes() {
        [b'0', b'x', ..] => (16, &plain[2..]),
        [b'0', b'b', ..] => (2, &plain[2..]),
        [b'0', _, ..] if !plain.contains(['.', 'e']) => (8, &plain[1..]),
        _ => (10, plain),
    };
    if digits.bytes().all(|b| b.is_ascii_hexdigit()) && (radix == 16 || !digits.contains('e')) {
        return u64::from_str_radix(digits, radix).ok().map(Kind::Int);
    }
    let decimal = lower.bytes().all(|b| matches!(b, b'0'..=b'9' | b'.' | b'e' | b'+' | b'-'));
    let value: f64 = lower.parse().ok().filter(|_| decimal)?;
    Some(Kind::Float(Float::Double(value.to_bits())))
}
