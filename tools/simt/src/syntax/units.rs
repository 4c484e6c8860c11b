//! Several files of one program, read as one text: what a file keeps to itself.
//!
//! What is `static` or `inline`, a template, a constant or the device's has a meaning in each file
//! of its own. Where two files use such a name, the later one's becomes another name, before
//! anything is parsed. Types are not told apart: two files that define one mean the same.

use super::token::{Kind, Name, Token};
use std::collections::{HashMap, HashSet};

/// Words of a declaration whose name no other file sees.
const OWN: [&str; 9] = [
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

/// Renames what later files of the program call as earlier ones do. `last` is the last file: they
/// stand behind the first text, which includes them.
pub(super) fn apart(tokens: &mut [Token], last: u32) {
    let mut taken: HashSet<Name> = HashSet::new();
    for file in 1..=last {
        let own = declared(tokens, file);
        let new: HashMap<&Name, Name> = own
            .iter()
            .filter(|name| taken.contains(*name))
            .map(|name| (name, format!("{name}@{file}").into()))
            .collect();
        let mut member = false;
        for token in tokens.iter_mut() {
            if token.span.file == file
                && token.kind == Kind::Ident
                && !member
                && let Some(name) = new.get(&token.text)
            {
                token.text = *name;
            }
            member = token.is(".") || token.is("->") || token.is("::");
        }
        taken.extend(own);
    }
}

/// The names at file level that a file keeps to itself.
fn declared(tokens: &[Token], file: u32) -> HashSet<Name> {
    let mut found = HashSet::new();
    let (mut depth, mut angles) = (0usize, 0usize);
    let (mut own, mut open, mut name) = (false, true, None);
    let mut before: Option<&Token> = None;
    // Braces that hold more of the file level.
    let mut clear = Vec::new();
    for token in tokens.iter().filter(|token| token.span.file == file) {
        let text = &*token.text;
        match text {
            "{" if depth == 0 => {
                let outer = before.is_some_and(|b| b.kind == Kind::Str || b.is_word("namespace"))
                    || name.as_ref().is_some_and(|(_, spaced)| *spaced);
                clear.push(outer);
                depth += usize::from(!outer);
            }
            "{" => {
                clear.push(false);
                depth += 1;
            }
            "}" => depth -= usize::from(clear.pop() == Some(false)).min(depth),
            _ if depth > 0 => {}
            "<" => angles += 1,
            ">" | ">>" | ">>>" => angles = angles.saturating_sub(text.len()),
            _ if angles > 0 => {}
            "(" | "=" | "[" | ";" if open => {
                if own && let Some((name, _)) = &name {
                    found.insert(Name::clone(name));
                }
                open = false;
            }
            "struct" | "class" | "union" | "enum" | "typedef" | "using" | "extern" => open = false,
            _ if token.kind == Kind::Ident && open => {
                own |= OWN.contains(&text);
                let spaced = before.is_some_and(|b| b.is_word("namespace"));
                // Behind `::` stands a member, which is nobody's own.
                own &= !before.is_some_and(|b| b.is("::"));
                name = Some((token.text, spaced));
            }
            _ => {}
        }
        if depth == 0 && (token.is(";") || token.is("}") || token.is("{")) {
            (own, open, name, angles) = (false, true, None, 0);
        }
        before = Some(token);
    }
    found
}
