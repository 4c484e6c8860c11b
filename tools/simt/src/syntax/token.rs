//! Tokens: the words of the language, each with its place.

pub(crate) use super::name::Name;
use crate::diagnostic::Span;

/// What sort of word it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or keyword.
    Ident,
    /// A number as written, suffixes and all.
    Number,
    /// A character literal as written, quotes and all.
    Char,
    /// A string literal as written.
    Str,
    /// An operator or bracket.
    Punct,
    /// What no rule of C++ covers; reported where it is used.
    Unknown,
    /// The end of the text.
    End,
}

/// One word.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    /// Its sort.
    pub(crate) kind: Kind,
    /// Its spelling.
    pub(crate) text: Name,
    /// Where it stands; for a word out of a macro, where the macro is used.
    pub(crate) span: Span,
    /// First on its line: where a directive may begin.
    pub(crate) first: bool,
    /// White space before it: `f (x)` and `f(x)` differ in a `#define`.
    pub(crate) spaced: bool,
}

impl Token {
    /// Whether it is this operator or bracket.
    pub(crate) fn is(&self, punct: &str) -> bool {
        self.kind == Kind::Punct && &*self.text == punct
    }

    /// Whether it is this name or keyword.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Ident && &*self.text == word
    }

    /// How a message names it.
    pub(crate) fn describe(&self) -> String {
        match self.kind {
            Kind::End => "the end of the file".to_string(),
            _ => format!("`{}`", self.text),
        }
    }
}
