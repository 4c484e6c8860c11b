//! Files of C among those of C++: words that C++ reserves are names there, and C has words of its own.

use super::name::Name;
use super::token::{Kind, Token};
use crate::diagnostic::Sources;

/// Words that C does not reserve. (Macros of the library may use others: `nullptr`, `decltype`.)
const NAMES: [&str; 21] = [
    "catch",
    "class",
    "delete",
    "explicit",
    "export",
    "friend",
    "mutable",
    "namespace",
    "new",
    "operator",
    "private",
    "protected",
    "public",
    "template",
    "this",
    "throw",
    "try",
    "typeid",
    "typename",
    "using",
    "virtual",
];

/// Words of C, and what they are in C++.
const WORDS: [(&str, &str); 5] = [
    ("_Alignas", "alignas"),
    ("_Alignof", "alignof"),
    ("_Bool", "bool"),
    ("_Static_assert", "static_assert"),
    ("_Thread_local", "thread_local"),
];

/// Replaces them in the files of C. A name becomes one that C++ can have.
pub(super) fn translate(tokens: &mut [Token], sources: &Sources) {
    let is_c: Vec<bool> = sources.files().iter().map(|(name, _)| name.ends_with(".c")).collect();
    if !is_c.contains(&true) {
        return;
    }
    let in_c = |token: &&mut Token| {
        token.kind == Kind::Ident && is_c.get(token.span.file as usize) == Some(&true)
    };
    for token in tokens.iter_mut().filter(in_c) {
        let word = &*token.text;
        if let Some((_, meaning)) = WORDS.iter().find(|(own, _)| *own == word) {
            token.text = Name::new(meaning);
        } else if NAMES.contains(&word) {
            token.text = Name::new(&format!("{word}__of_c"));
        }
    }
}
