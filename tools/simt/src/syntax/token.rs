//! Tokens: the units of the lexical grammar, each with its place in the source.

pub(crate) use super::name::Name;
use crate::diagnostic::Span;

/// The kind of a token.
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
    /// Text that is no token of C++; the parser reports it.
    Unknown,
    /// The end of the text.
    End,
}

/// One token.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    /// Its kind.
    pub(crate) kind: Kind,
    /// Its spelling.
    pub(crate) text: Name,
    /// Its place; for a token from a macro's body, the place where the macro is used.
    pub(crate) span: Span,
    /// Whether it is the first on its line, where a directive may begin.
    pub(crate) first: bool,
    /// Whether white space precedes it: `f (x)` and `f(x)` differ in a `#define`.
    pub(crate) spaced: bool,
}

/// C++'s alternative tokens: words that are operators.
const ALTERNATIVE: [(&str, &str); 11] = [
    ("and", "&&"),
    ("or", "||"),
    ("not", "!"),
    ("xor", "^"),
    ("bitand", "&"),
    ("bitor", "|"),
    ("compl", "~"),
    ("not_eq", "!="),
    ("and_eq", "&="),
    ("or_eq", "|="),
    ("xor_eq", "^="),
];

impl Token {
    /// An alternative token as the operator that it means. `#` and `##` still take its spelling, so this
    /// follows the preprocessor.
    pub(crate) fn plain(mut self) -> Token {
        let means = |(word, _): &&(&str, &str)| self.is_word(word);
        if let Some((_, operator)) = ALTERNATIVE.iter().find(means) {
            (self.kind, self.text) = (Kind::Punct, Name::new(operator));
        }
        self
    }

    /// Whether it is this operator or bracket.
    pub(crate) fn is(&self, punct: &str) -> bool {
        self.kind == Kind::Punct && &*self.text == punct
    }

    /// Whether it is this name or keyword.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Ident && &*self.text == word
    }

    /// Its name in error messages.
    pub(crate) fn describe(&self) -> String {
        match self.kind {
            Kind::End => "the end of the file".to_string(),
            _ => format!("`{}`", self.text),
        }
    }
}
