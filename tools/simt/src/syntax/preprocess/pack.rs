//! `#pragma pack`: how densely the members of classes are laid out from here on.
//!
//! The parser knows no pragmas. So the definition of each class gets an attribute with the value, as
//! if it stood in the text: `struct __attribute__((__pack__(1))) Header { .. }`.

use super::super::name::Name;
use super::super::token::{Kind, Token};

/// The attribute's word.
pub(in crate::syntax) const PACK: &str = "__pack__";

/// The value now, and those that `push` put aside.
#[derive(Default)]
pub(super) struct Pack {
    now: Option<u64>,
    stack: Vec<(Option<Name>, Option<u64>)>,
}

impl Pack {
    /// Takes `(push, 1)`, `(pop)`, `(1)` or `()`.
    pub(super) fn pragma(&mut self, rest: &[Token]) -> Result<(), String> {
        let words: Vec<&Token> =
            rest.iter().filter(|t| !["(", ")", ","].iter().any(|p| t.is(p))).collect();
        let (command, words) = match words.split_first() {
            Some((word, behind)) if word.is_word("push") || word.is_word("pop") => {
                (Some(word), behind)
            }
            Some((word, _)) if word.is_word("show") => return Ok(()),
            _ => (None, &words[..]),
        };
        let name = words.iter().find(|t| t.kind == Kind::Ident).map(|t| t.text);
        let value = match words.iter().find(|t| t.kind != Kind::Ident) {
            None => None,
            Some(token) => match token.text.parse() {
                Ok(value @ (1 | 2 | 4 | 8 | 16)) => Some(value),
                _ => return Err(format!("`{}`: `pack` takes 1, 2, 4, 8 or 16", token.text)),
            },
        };
        match command {
            Some(word) if word.is_word("push") => {
                self.stack.push((name, self.now));
                self.now = value.or(self.now);
            }
            Some(_) => {
                let found = match name {
                    Some(_) => self.stack.iter().rposition(|(known, _)| *known == name),
                    None => self.stack.len().checked_sub(1),
                };
                let Some(found) = found else {
                    return Err("`pack(pop)` without its `pack(push)`".to_owned());
                };
                let before = self.stack[found].1;
                self.stack.truncate(found);
                self.now = value.or(before);
            }
            None => self.now = value,
        }
        Ok(())
    }

    /// The tokens with the attribute in each definition of a class.
    pub(super) fn packed(&self, tokens: Vec<Token>) -> Vec<Token> {
        let Some(value) = self.now else { return tokens };
        let mut out = Vec::with_capacity(tokens.len());
        for (at, token) in tokens.iter().enumerate() {
            out.push(token.clone());
            let follows = at > 0 && tokens[at - 1].is_word("enum");
            if !follows && !token.span.is_built_in() && begins_a_class(&tokens[at..]) {
                let value = value.to_string();
                let words = ["__attribute__", "(", "(", PACK, "(", &value, ")", ")", ")"];
                out.extend(words.into_iter().map(|word| {
                    let kind = match word {
                        "__attribute__" | PACK => Kind::Ident,
                        _ if word == value => Kind::Number,
                        _ => Kind::Punct,
                    };
                    Token { kind, text: word.into(), span: token.span, first: false, spaced: true }
                }));
            }
        }
        out
    }
}

/// Whether a class is defined here: `struct`, attributes, a name, and a body or bases.
fn begins_a_class(tokens: &[Token]) -> bool {
    let Some((keyword, rest)) = tokens.split_first() else { return false };
    if !["struct", "class", "union"].iter().any(|word| keyword.is_word(word)) {
        return false;
    }
    let (mut at, mut named) = (0, false);
    while let Some(token) = rest.get(at) {
        match &*token.text {
            "__align__" | "alignas" | "__attribute__" | "[" | "<" => {
                at += usize::from(token.kind == Kind::Ident);
                at += brackets(&rest[at..]);
            }
            "{" | ":" => return true,
            "::" | "final" => at += 1,
            _ if token.kind == Kind::Ident && (!named || rest[at - 1].is("::")) => {
                named = true;
                at += 1;
            }
            _ => return false,
        }
    }
    false
}

/// The length of the brackets that open here.
fn brackets(tokens: &[Token]) -> usize {
    let mut open = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        match &*token.text {
            "(" | "[" | "<" | "{" => open += 1,
            ")" | "]" | ">" | "}" => open = open.saturating_sub(1),
            ">>" => open = open.saturating_sub(2),
            _ => {}
        }
        if open == 0 {
            return at + 1;
        }
    }
    tokens.len()
}
