//! Which brace of a text has no partner, so that what follows stands inside of a function or behind
//! its end.
//!
//! A compiler says where it noticed, which may be the end of the file. The indentation tells more: a
//! `}` at the beginning of a line usually closes a line that is indented as it is.

use crate::token::Token;

/// A brace without a partner, and where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lonely {
    /// A `{` that is never closed.
    Open(usize),
    /// A `}` that closes nothing.
    Close(usize),
}

/// The first brace without a partner before the byte `end`.
pub(crate) fn lonely(text: &str, tokens: &[Token<'_>], end: usize) -> Option<Lonely> {
    let mut open: Vec<usize> = Vec::new();
    // A `{` whose line is indented more than that of the `}` which took it.
    let mut suspect = None;
    for token in tokens.iter().take_while(|token| token.start < end) {
        match token.text {
            "{" => open.push(token.start),
            "}" => {
                let Some(partner) = open.pop() else { return Some(Lonely::Close(token.start)) };
                let (indent, begins_line) = indentation(text, token.start);
                if begins_line && indent < indentation(text, partner).0 {
                    suspect = suspect.or(Some(partner));
                }
                if open.is_empty() {
                    suspect = None;
                }
            }
            _ => {}
        }
    }
    open.first().map(|outer| Lonely::Open(suspect.unwrap_or(*outer)))
}

/// Blanks at the beginning of the line of this byte, and whether it is the first behind them.
fn indentation(text: &str, at: usize) -> (usize, bool) {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = &text[start..];
    let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
    (blanks, start + blanks == at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::tokens;

    #[test]
    fn the_brace_whose_partner_is_missing_is_found() {
        for (text, wanted) in [
            ("void f() {\n}\n", None),
            ("void f() {\n    if (x) { y;\n}\n", Some(Lonely::Open(22))),
            ("void f() {\n    if (x) {\n        y;\n}\n", Some(Lonely::Open(22))),
            ("void f() {\n    if (x) { y; }\n", Some(Lonely::Open(9))),
            ("void f() { if (x) { y; }\n", Some(Lonely::Open(9))),
            ("void f() { y; }}\n", Some(Lonely::Close(15))),
            // Parameters may be indented more than the end of the body.
            ("void f(int x,\n       int y) {\n}\nvoid g() {\n    x;\n", Some(Lonely::Open(41))),
        ] {
            assert_eq!(lonely(text, &tokens(text), text.len()), wanted, "{text}");
        }
    }
}
