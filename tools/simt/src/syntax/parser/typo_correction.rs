//! Typo correction: the help of syntax errors where a word is misspelt or missing.

use super::super::token::Kind;
use super::Parser;

/// How a kernel is launched.
pub(super) const LAUNCH: &str = "a launch is `kernel<<<grid, block>>>(..)`";

/// The words before a function or a variable that say where it runs or lies.
const SPECIFIERS: [&str; 6] =
    ["__global__", "__device__", "__host__", "__shared__", "__constant__", "__managed__"];

/// Words of the language with which a line begins.
const WORDS: [&str; 14] = [
    "return", "break", "continue", "double", "float", "int", "char", "bool", "void", "unsigned",
    "const", "static", "struct", "template",
];

/// The word of the language or of CUDA that another one is nearly.
pub(super) fn near(word: &str) -> Option<&'static str> {
    let limit = (word.len() / 4).max(1);
    let distance = |known: &&str| strsim::osa_distance(word, known);
    let known = SPECIFIERS.into_iter().chain(WORDS);
    let near = known.filter(|known| (1..=limit).contains(&distance(known)));
    near.filter(|_| word.len() > 2).min_by_key(distance)
}

impl Parser<'_> {
    /// What to write where a `;` is missing.
    pub(super) fn instead_of_semicolon(&self) -> String {
        if self.is(">>>") {
            return LAUNCH.to_owned();
        }
        if self.is(")") {
            return "a `)` is too many, or `for (begin; condition; step)` lacks a `;`".to_owned();
        }
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        match before.filter(|token| token.kind == Kind::Ident).and_then(|token| near(&token.text)) {
            Some(meant) => format!("is `{meant}` meant?"),
            None => "end the statement with `;`".to_owned(),
        }
    }

    /// Whether the word before says where a function runs.
    pub(super) fn is_behind_specifier(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        before.is_some_and(|before| SPECIFIERS.contains(&&*before.text))
    }
}
