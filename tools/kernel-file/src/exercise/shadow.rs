//! Variables of an answer whose names would be refused: `int expected = *last;` in a loop of
//! compare-and-swap is no call of the reference.
//!
//! Only what is plain is seen: a declaration at the beginning of a statement, of a type that C++ has
//! itself. A text that could mean something else than it looks like (macros, comments over several lines,
//! aliases) has no such variables, so their names stay refused.

use crate::token::{Kind, Token};

/// The words of a declaration before the name.
const TYPES: [&str; 17] = [
    "auto", "bool", "char", "const", "double", "float", "int", "int32_t", "int64_t", "long",
    "short", "signed", "size_t", "uint32_t", "uint64_t", "unsigned", "volatile",
];

/// Words that can give a plain declaration another meaning.
const OBSCURE: [&str; 6] = ["decltype", "define", "extern", "template", "typedef", "using"];

/// Reads an answer token by token, and knows which names are its variables.
#[derive(Default)]
pub(super) struct Shadow {
    /// The names, and how many braces were open at their declarations.
    declared: Vec<(String, usize)>,
    braces: usize,
    parentheses: usize,
    /// Whether the statement so far consists of words of [`TYPES`]; `None` at its beginning.
    is_type: Option<bool>,
    /// In a declaration, how many braces were open at its beginning: behind a comma at that depth stands
    /// another name.
    declaration: Option<usize>,
    brackets: usize,
    /// The last token was `::`, or a name.
    behind: Behind,
    obscure: bool,
}

/// What stands before a name.
#[derive(Default, PartialEq)]
enum Behind {
    #[default]
    Operator,
    Scope,
    Word,
    /// The comma of a declaration.
    Comma,
}

impl Shadow {
    /// No name is a variable from here on.
    pub(super) fn distrust(&mut self) {
        self.obscure = true;
    }

    /// Reads the next token.
    pub(super) fn read(&mut self, token: &Token<'_>) {
        match token.kind {
            Kind::Blank => return,
            Kind::Comment => {
                // The next lines belong to it, but look like code.
                self.obscure |= token.text.starts_with("/*") && !token.text.ends_with("*/");
                return;
            }
            Kind::Literal => self.obscure = true,
            Kind::Name => self.obscure |= OBSCURE.contains(&token.text),
            Kind::Punctuation => token.text.chars().for_each(|c| self.bracket(c)),
            Kind::Number => {}
        }
        self.behind = match token.kind {
            Kind::Name if token.text != "return" => Behind::Word,
            _ if token.text == "::" => Behind::Scope,
            _ => Behind::Operator,
        };
        self.follow(token);
        let begins = self.parentheses == 0 && [";", "{", "}"].contains(&token.text);
        self.is_type = match self.is_type {
            _ if begins => None,
            Some(false) => Some(false),
            _ => Some(token.kind == Kind::Name && TYPES.contains(&token.text)),
        };
    }

    /// Follows a declaration: `int old = *last, expected;` has two names.
    fn follow(&mut self, token: &Token<'_>) {
        let is_flat = self.parentheses == 0 && self.brackets == 0;
        match token.text {
            ";" if is_flat => self.declaration = None,
            // It could be a template's: `f<1, expected>(in)`.
            "<" => self.declaration = None,
            _ if token.kind == Kind::Name && is_flat && self.is_type == Some(true) => {
                let is_name = !TYPES.contains(&token.text);
                self.declaration = is_name.then_some(self.braces);
            }
            _ => {}
        }
        let is_comma = token.text == "," && is_flat && self.declaration == Some(self.braces);
        if is_comma {
            self.behind = Behind::Comma;
        }
    }

    fn bracket(&mut self, c: char) {
        match c {
            '[' => self.brackets += 1,
            ']' => self.brackets = self.brackets.saturating_sub(1),
            '{' => self.braces += 1,
            '}' => {
                self.braces = self.braces.saturating_sub(1);
                self.declared.retain(|(_, braces)| *braces <= self.braces);
            }
            '(' => self.parentheses += 1,
            ')' => self.parentheses = self.parentheses.saturating_sub(1),
            _ => {}
        }
    }

    /// Whether a name that comes next, with this token behind it, is a variable of the answer.
    pub(super) fn is_variable(&mut self, name: &str, next: Option<&str>) -> bool {
        if self.obscure || next.is_none_or(|next| next == "(") || self.behind == Behind::Scope {
            return false;
        }
        let is_declared = self.is_type == Some(true)
            || self.behind == Behind::Comma && next.is_some_and(|it| ["=", ",", ";"].contains(&it));
        if is_declared {
            self.declared.push((name.to_owned(), self.braces));
        }
        let is_plain = is_declared || self.behind == Behind::Operator;
        is_plain && self.declared.iter().any(|(known, _)| known == name)
    }
}
