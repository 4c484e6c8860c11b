//! The tokens of a C++ text, as far as keys, wrappers and mutations need them.
//!
//! This is no front end: it tells names, numbers, literals, punctuation, comments and blanks
//! apart, and that is all. It takes any text.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A name or keyword.
    Name,
    /// A number.
    Number,
    /// A string or character literal, with its quotes.
    Literal,
    /// An operator or bracket.
    Punctuation,
    /// `//` or `/* */`.
    Comment,
    /// White space; it holds the line ends.
    Blank,
}

/// A token and where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// Its text.
    pub text: &'a str,
    /// Its first byte.
    pub start: usize,
}

/// Operators of more than one character, longest first.
const OPERATORS: [&str; 25] = [
    "<<<", ">>>", "<<=", ">>=", "...", "->*", "::", "->", "++", "--", "<<", ">>", "<=", ">=", "==",
    "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=",
];

/// Every token, so that their texts put together are the text.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut out = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let rest = &text[start..];
        let (kind, length) = next(rest);
        out.push(Token { kind, text: &rest[..length], start });
        start += length;
    }
    out
}

/// The tokens that a compiler sees: no comments, and of blanks only the ends of preprocessor
/// lines.
pub fn significant(text: &str) -> impl Iterator<Item = &str> {
    let mut directive = false;
    let mut line_start = true;
    tokens(text).into_iter().filter_map(move |token| match token.kind {
        Kind::Comment => None,
        Kind::Blank => {
            let ends = token.text.contains('\n') && !token.text.ends_with("\\\n");
            let shown = ends && directive;
            if ends {
                directive = false;
                line_start = true;
            }
            shown.then_some("\n")
        }
        _ => {
            directive |= line_start && token.text == "#";
            line_start = false;
            Some(token.text)
        }
    })
}

fn next(rest: &str) -> (Kind, usize) {
    let end_of = |keep: fn(char) -> bool| rest.find(|c| !keep(c)).unwrap_or(rest.len());
    let first = rest.chars().next().unwrap_or(' ');
    if rest.starts_with("//") {
        return (Kind::Comment, rest.find('\n').unwrap_or(rest.len()));
    }
    if let Some(inside) = rest.strip_prefix("/*") {
        return (Kind::Comment, inside.find("*/").map_or(rest.len(), |at| at + 4));
    }
    if first.is_whitespace() {
        return (Kind::Blank, end_of(char::is_whitespace));
    }
    if first.is_alphabetic() || first == '_' {
        return (Kind::Name, end_of(|c| c.is_alphanumeric() || c == '_'));
    }
    let second = rest[first.len_utf8()..].chars().next().unwrap_or(' ');
    if first.is_ascii_digit() || (first == '.' && second.is_ascii_digit()) {
        return (Kind::Number, number(rest));
    }
    if first == '"' || first == '\'' {
        return (Kind::Literal, literal(rest, first));
    }
    let operator = OPERATORS.iter().find(|o| rest.starts_with(**o));
    (Kind::Punctuation, operator.map_or(first.len_utf8(), |o| o.len()))
}

fn number(rest: &str) -> usize {
    let mut before = ' ';
    for (at, c) in rest.char_indices() {
        let sign_of_exponent = matches!(c, '+' | '-') && matches!(before, 'e' | 'E' | 'p' | 'P');
        let hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
        let sign = sign_of_exponent && !(hexadecimal && matches!(before, 'e' | 'E'));
        if !(c.is_alphanumeric() || c == '.' || c == '_' || c == '\'' || sign) {
            return at;
        }
        before = c;
    }
    rest.len()
}

/// To the closing quote, or to the end of the line where there is none.
fn literal(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return at,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blanks_are_not_significant() {
        let a = "#define N 32 // lanes\nint x = 1e-5 + N; /* sum */";
        let b = "#define N   32\n\n\nint x=1e-5+N;";
        let words: Vec<&str> = significant(a).collect();
        assert_eq!(words, significant(b).collect::<Vec<_>>());
        assert_eq!(words, ["#", "define", "N", "32", "\n", "int", "x", "=", "1e-5", "+", "N", ";"]);
    }

    #[test]
    fn a_text_is_the_sum_of_its_tokens() {
        for text in ["a>>>=b ? 'c' : \"//\" + .5f", "/* open", "\"open\nint", "0xE+1 é ♞", "\\"]
        {
            let joined: String = tokens(text).iter().map(|t| t.text).collect();
            assert_eq!(joined, text);
        }
    }
}
