//! Several translation units compiled as one: file-local names are renamed to be unique.
//!
//! A name that is `static`, `inline`, a constant, a template or `__device__` is local to its file
//! here. If an earlier file has a local of the same name, the later file's tokens are renamed
//! before anything is parsed. Types are not renamed: two files that define a type mean the same
//! one.

use super::token::{Kind, Name, Token};
use std::collections::{HashMap, HashSet};

/// Specifiers that make a declaration local to its file.
const FILE_LOCAL: [&str; 9] = [
    "static",
    "inline",
    "__inline__",
    "__forceinline__",
    "const",
    "constexpr",
    "__constant__",
    "__device__",
    "template",
];

/// Renames each file's local names that an earlier file has too. The program's files are 1 to
/// `last`; file 0 only includes them.
pub(super) fn apart(tokens: &mut [Token], last: u32) {
    let mut taken: HashSet<Name> = HashSet::new();
    for file in 1..=last {
        let locals = declared(tokens, file);
        let renamed: HashMap<&Name, Name> = locals
            .iter()
            .filter(|name| taken.contains(*name))
            .map(|name| (name, format!("{name}@{file}").into()))
            .collect();
        // Whether the token follows `.`, `->` or `::`: a member's name is never renamed.
        let mut member = false;
        for token in tokens.iter_mut() {
            if token.span.file == file
                && token.kind == Kind::Ident
                && !member
                && let Some(name) = renamed.get(&token.text)
            {
                token.text = *name;
            }
            member = token.is(".") || token.is("->") || token.is("::");
        }
        taken.extend(locals);
    }
}

/// The names at file level that are local to this file.
fn declared(tokens: &[Token], file: u32) -> HashSet<Name> {
    let mut found = HashSet::new();
    let (mut depth, mut angles) = (0usize, 0usize);
    // Of the declaration being read: whether it is local, whether its name may still come, and the
    // last identifier, with whether `namespace` precedes it.
    let (mut local, mut open, mut name) = (false, true, None);
    let mut before: Option<&Token> = None;
    // For each open brace, whether it is a namespace's or a linkage specification's (`extern "C"`):
    // declarations inside are still at file level.
    let mut transparent = Vec::new();
    for token in tokens.iter().filter(|token| token.span.file == file) {
        let text = &*token.text;
        match text {
            "{" if depth == 0 => {
                let outer = before.is_some_and(|b| b.kind == Kind::Str || b.is_word("namespace"))
                    || name.as_ref().is_some_and(|(_, in_namespace)| *in_namespace);
                transparent.push(outer);
                depth += usize::from(!outer);
            }
            "{" => {
                transparent.push(false);
                depth += 1;
            }
            "}" => depth -= usize::from(transparent.pop() == Some(false)).min(depth),
            _ if depth > 0 => {}
            "<" => angles += 1,
            ">" | ">>" | ">>>" => angles = angles.saturating_sub(text.len()),
            _ if angles > 0 => {}
            "(" | "=" | "[" | ";" if open => {
                if local && let Some((name, _)) = &name {
                    found.insert(Name::clone(name));
                }
                open = false;
            }
            "struct" | "class" | "union" | "enum" | "typedef" | "using" | "extern" => open = false,
            _ if token.kind == Kind::Ident && open => {
                local |= FILE_LOCAL.contains(&text);
                let in_namespace = before.is_some_and(|b| b.is_word("namespace"));
                // A name after `::` is a member, which is not local to a file.
                local &= !before.is_some_and(|b| b.is("::"));
                name = Some((token.text, in_namespace));
            }
            _ => {}
        }
        if depth == 0 && (token.is(";") || token.is("}") || token.is("{")) {
            (local, open, name, angles) = (false, true, None, 0);
        }
        before = Some(token);
    }
    found
}
