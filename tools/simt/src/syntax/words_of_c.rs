//! Words that are not C++'s own: files of C among those of C++ have other keywords, and GCC has second
//! spellings of some.

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
const WORDS: [(&str, &str); 6] = [
    ("_Alignas", "alignas"),
    ("_Alignof", "alignof"),
    ("_Bool", "bool"),
    ("_Static_assert", "static_assert"),
    ("_Thread_local", "thread_local"),
    ("restrict", "__restrict__"),
];

/// GCC's spellings, in every file.
const OF_GCC: [(&str, &str); 6] = [
    ("__const", "const"),
    ("__const__", "const"),
    ("__signed", "signed"),
    ("__signed__", "signed"),
    ("__volatile", "volatile"),
    ("__volatile__", "volatile"),
];

/// Replaces them. A name of C that C++ reserves becomes one that C++ can have.
pub(super) fn translate(tokens: &mut [Token], sources: &Sources) {
    let meaning = |words: &[(&str, &'static str)], word: &str| {
        words.iter().find(|(own, _)| *own == word).map(|(_, meaning)| *meaning)
    };
    let is_c: Vec<bool> = sources.files().iter().map(|(name, _)| name.ends_with(".c")).collect();
    for token in tokens.iter_mut().filter(|token| token.kind == Kind::Ident) {
        let word = &*token.text;
        let in_c = is_c.get(token.span.file as usize) == Some(&true);
        let own = if in_c { meaning(&WORDS, word) } else { None };
        let gcc = || word.starts_with("__").then(|| meaning(&OF_GCC, word)).flatten();
        if let Some(meaning) = own.or_else(gcc) {
            token.text = Name::new(meaning);
        } else if in_c && NAMES.contains(&word) {
            token.text = Name::new(&format!("{word}__of_c"));
        }
    }
}
