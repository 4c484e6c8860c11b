//! A cursor over a directive's line, which knows its column for error messages.

use crate::expression::{Expression, ExpressionError};
use crate::suggest::suggestion_or_list;
use crate::text_error::TextError;

/// What to do where a launch names a template.
pub(crate) const TEMPLATE: &str = "a launch names no template: make its body a `__device__` \
                                   template, and launch a kernel of one type that calls it";

/// The unread rest of a line, and the column at which it begins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'a> {
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) text: &'a str,
}

impl<'a> Cursor<'a> {
    pub(crate) fn advance(&mut self, bytes: usize) {
        let (skipped, rest) = self.text.split_at(bytes);
        self.column += skipped.chars().count() as u32;
        self.text = rest;
    }

    pub(crate) fn until(self, bytes: usize) -> Cursor<'a> {
        Cursor { text: &self.text[..bytes], ..self }
    }

    pub(crate) fn skip_blanks(&mut self) {
        self.advance(self.text.len() - self.text.trim_start().len());
    }

    /// Letters, digits, `_` and `-`.
    pub(crate) fn word(&mut self) -> &'a str {
        self.take(|c| c.is_alphanumeric() || c == '_' || c == '-')
    }

    pub(crate) fn blank_delimited(&mut self) -> &'a str {
        self.take(|c| !c.is_whitespace())
    }

    pub(crate) fn take(&mut self, keep: impl Fn(char) -> bool) -> &'a str {
        let end = self.text.find(|c| !keep(c)).unwrap_or(self.text.len());
        let taken = &self.text[..end];
        self.advance(end);
        taken
    }

    pub(crate) fn name(&mut self, what: &str) -> Result<String, TextError> {
        self.skip_blanks();
        let start = *self;
        let name = self.take(|c| c.is_ascii_alphanumeric() || c == '_');
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(start.error(format!("expected {what}, found {}", start.found())));
        }
        Ok(name.to_owned())
    }

    /// `reduce`, `gpu::reduce`.
    pub(crate) fn kernel(&mut self) -> Result<String, TextError> {
        let mut name = self.name("a kernel's name")?;
        while self.text.starts_with("::") {
            self.advance(2);
            name += "::";
            name += &self.name("a kernel's name")?;
        }
        if self.text.starts_with('<') && !self.text.starts_with("<<") {
            return Err(self.error(TEMPLATE.to_owned()));
        }
        Ok(name)
    }

    pub(crate) fn expect(&mut self, wanted: &str) -> Result<(), TextError> {
        self.skip_blanks();
        if self.text.starts_with(wanted) {
            self.advance(wanted.len());
            return Ok(());
        }
        Err(self.error(format!("expected `{wanted}`, found {}", self.found())))
    }

    /// The next word or number, or else the next character, as an error names it.
    pub(crate) fn found(&self) -> String {
        let part = |c: char| c.is_alphanumeric() || c == '_';
        let end = self.text.find(|c| !part(c)).unwrap_or(self.text.len());
        let one = self.text.chars().next().map_or(0, char::len_utf8);
        match &self.text[..end.max(one)] {
            "" => "nothing".to_owned(),
            word => format!("`{word}`"),
        }
    }

    pub(crate) fn end(mut self) -> Result<(), TextError> {
        self.skip_blanks();
        if self.text.is_empty() {
            return Ok(());
        }
        Err(self.error(format!("expected the end of the line, found `{}`", self.text.trim_end())))
    }

    /// The value of the one word that is left, which must be among `known`.
    pub(crate) fn one_of<T: Copy>(
        mut self,
        what: &str,
        known: &[(&str, T)],
    ) -> Result<T, TextError> {
        self.skip_blanks();
        let word = self.text.trim();
        known.iter().find(|(w, _)| *w == word).map(|(_, v)| *v).ok_or_else(|| {
            self.unknown(&format!("unknown {what}"), word, known.iter().map(|(w, _)| *w))
        })
    }

    /// The parts between separators outside of brackets; none if there are only blanks.
    pub(crate) fn split(self, separator: char) -> Vec<Cursor<'a>> {
        let mut pieces = Vec::new();
        if self.text.trim().is_empty() {
            return pieces;
        }
        let mut rest = self;
        let (mut depth, mut start) = (0i32, 0);
        for (at, c) in self.text.char_indices() {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                c if c == separator && depth <= 0 => {
                    pieces.push(rest.until(at - start));
                    rest.advance(at + c.len_utf8() - start);
                    start = at + c.len_utf8();
                }
                _ => {}
            }
        }
        pieces.push(rest);
        pieces
    }

    pub(crate) fn error(self, message: String) -> TextError {
        TextError::new((self.line, self.column), message)
    }

    /// The error that `word`, which begins here, is none of the known ones: `what` is for example
    /// `unknown type`.
    pub(crate) fn unknown<'b>(
        self,
        what: &str,
        word: &str,
        known: impl Iterator<Item = &'b str>,
    ) -> TextError {
        // One list is one type, so that a page has one copy of what words the message.
        let known: Vec<&str> = known.collect();
        let hint = suggestion_or_list(word, known.iter().copied());
        TextError {
            #[cfg(not(target_arch = "wasm32"))]
            expected: known.into_iter().map(str::to_owned).collect(),
            ..self.error(format!("{what} `{word}`{hint}"))
        }
    }

    /// The second of several expressions that have only blanks between them.
    pub(crate) fn second_without_comma(mut self) -> Option<Cursor<'a>> {
        let number = |word: &str| Expression::parse(word).is_ok() || word.parse::<f64>().is_ok();
        if Expression::parse(self.text).is_ok() || !self.text.split_whitespace().all(number) {
            return None;
        }
        self.skip_blanks();
        self.blank_delimited();
        self.skip_blanks();
        (!self.text.is_empty()).then_some(self)
    }

    pub(crate) fn inside(self, error: ExpressionError) -> TextError {
        let column = self.column + error.column;
        TextError {
            #[cfg(not(target_arch = "wasm32"))]
            expected: error.expected,
            ..TextError::new((self.line, column), error.message)
        }
    }
}

/// The byte at which the bracket that is already open is closed.
pub(crate) fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}
