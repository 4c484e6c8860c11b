//! The lexer: splits text into tokens by maximal munch.
//!
//! It drops comments, and a backslash at the end of a line joins it to the next. It never fails: a
//! character that begins no token becomes a [`Kind::Unknown`] token. The parser reports it if it
//! gets that far, because text under a false `#if` may be anything.

use super::preprocess::MAX_TOKENS;
use super::token::{Kind, Name, Token};
use crate::diagnostic::{Diagnostic, Span};

/// Operators and brackets, longest first, so that the first match is the longest (maximal munch).
const PUNCTUATION: [&str; 54] = [
    "<=>", "<<<", ">>>", "<<=", ">>=", "...", "->*", ".*", "::", "->", "++", "--", "<<", ">>",
    "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##", "+",
    "-", "*", "/", "%", "=", "<", ">", "!", "~", "&", "|", "^", "?", ":", ";", ",", ".", "(", ")",
    "[", "]", "{", "}", "#",
];

/// Splits a file; the last token is [`Kind::End`].
pub(crate) fn lex(file: u32, text: &str, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
    let mut lexer = Lexer { file, text, at: 0, first: true, spaced: false };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_space(diagnostics);
        let token = lexer.next(diagnostics);
        if tokens.len() >= MAX_TOKENS && token.kind != Kind::End {
            let message = format!("this file has more than {MAX_TOKENS} tokens");
            diagnostics.push(Diagnostic::error("syntax", token.span, message));
            lexer.at = text.len();
            continue;
        }
        let end = token.kind == Kind::End;
        tokens.push(token);
        if end {
            return tokens;
        }
    }
}

struct Lexer<'a> {
    file: u32,
    text: &'a str,
    at: usize,
    /// Whether the next token is the first on its line.
    first: bool,
    /// Whether white space or a comment precedes the next token.
    spaced: bool,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn span(&self, start: usize) -> Span {
        Span { file: self.file, start: start as u32, end: self.at as u32 }
    }

    fn skip_space(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        loop {
            let rest = self.rest();
            if let Some(c) = rest.chars().next().filter(|c| c.is_whitespace()) {
                self.first |= c == '\n';
                self.at += c.len_utf8();
            } else if let Some(length) = spliced(rest) {
                self.at += length;
            } else if rest.starts_with("//") {
                // A comment may be continued by a backslash, too.
                let mut length = 0;
                for line in rest.split_inclusive('\n') {
                    let text = line.trim_end_matches(['\n', '\r']);
                    if !text.trim_end().ends_with('\\') {
                        length += text.len();
                        break;
                    }
                    length += line.len();
                }
                self.at += length;
            } else if let Some(inside) = rest.strip_prefix("/*") {
                let start = self.at;
                match inside.find("*/") {
                    Some(i) => self.at += i + 4,
                    None => {
                        self.at = self.text.len();
                        let span = Span { end: start as u32 + 2, ..self.span(start) };
                        diagnostics.push(
                            Diagnostic::error("syntax", span, "this comment is never closed")
                                .with_help("end it with `*/`"),
                        );
                    }
                }
            } else {
                return;
            }
            self.spaced = true;
        }
    }

    fn next(&mut self, diagnostics: &mut Vec<Diagnostic>) -> Token {
        let start = self.at;
        let kind = self.scan(diagnostics);
        let text: Name = self.text[start..self.at].into();
        let token =
            Token { kind, text, span: self.span(start), first: self.first, spaced: self.spaced };
        self.first = false;
        self.spaced = false;
        token
    }

    /// Moves past one token.
    fn scan(&mut self, diagnostics: &mut Vec<Diagnostic>) -> Kind {
        let rest = self.rest();
        let mut chars = rest.chars();
        let Some(c) = chars.next() else { return Kind::End };
        let second = chars.next().unwrap_or('\0');
        if c.is_ascii_digit() || (c == '.' && second.is_ascii_digit()) {
            self.at += number_length(rest);
            return Kind::Number;
        }
        if c == '"' || c == '\'' {
            return self.quoted(c, diagnostics);
        }
        if c == 'R' && second == '"' {
            return self.raw(diagnostics);
        }
        if rest.starts_with("u8\"") {
            // UTF-8, as all strings are.
            self.at += 2;
            return self.quoted('"', diagnostics);
        }
        if is_word(c) {
            self.at += rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            return Kind::Ident;
        }
        let begins = |p: &&&str| p.as_bytes()[0] == rest.as_bytes()[0] && rest.starts_with(**p);
        if let Some(punct) = PUNCTUATION.iter().find(begins) {
            self.at += punct.len();
            return Kind::Punct;
        }
        self.at += c.len_utf8();
        Kind::Unknown
    }

    /// A raw string, `R"x(..)x"`. Its token has the same kind as an ordinary string.
    fn raw(&mut self, diagnostics: &mut Vec<Diagnostic>) -> Kind {
        let start = self.at;
        let inside = &self.text[self.at + 2..];
        let found = inside.find('(').filter(|i| *i <= 16).and_then(|open| {
            let end = format!("){}\"", &inside[..open]);
            inside[open + 1..].find(&end).map(|i| (open + 1, i, end.len()))
        });
        match found {
            Some((open, length, end)) => {
                self.at += 2 + open + length + end;
                Kind::Str
            }
            None => {
                self.at = self.text.len();
                let span = Span { end: start as u32 + 2, ..self.span(start) };
                diagnostics.push(Diagnostic::error(
                    "syntax",
                    span,
                    "this raw string is never closed",
                ));
                Kind::Unknown
            }
        }
    }

    fn quoted(&mut self, quote: char, diagnostics: &mut Vec<Diagnostic>) -> Kind {
        let start = self.at;
        let mut escaped = false;
        let body = self.text[self.at + 1..].char_indices();
        for (i, c) in body {
            match c {
                '\n' if !escaped => break,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                _ if c == quote => {
                    self.at += 1 + i + 1;
                    return if quote == '"' { Kind::Str } else { Kind::Char };
                }
                _ => {}
            }
        }
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        // An apostrophe in text under a false `#if` is legal; the parser reports the others.
        if quote == '"' {
            diagnostics.push(
                Diagnostic::error(
                    "syntax",
                    self.span(start),
                    "this string is not closed on its line",
                )
                .with_help("end it with `\"`"),
            );
        }
        Kind::Unknown
    }
}

/// The length of a backslash that continues its line, with what it hides. Compilers for C let blanks
/// follow it, and nvcc a comment, since it reads the text after a preprocessor has taken comments out.
fn spliced(text: &str) -> Option<usize> {
    let behind = text.strip_prefix('\\')?;
    let blanks = behind.len() - behind.trim_start_matches([' ', '\t', '\r', '\x0b', '\x0c']).len();
    let after = &behind[blanks..];
    if after.starts_with('\n') {
        return Some(1 + blanks + 1);
    }
    after.starts_with("//").then_some(1)
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// The length of a preprocessing number: digits, letters, dots, digit separators, signed exponents.
fn number_length(text: &str) -> usize {
    let hex = text.starts_with("0x") || text.starts_with("0X");
    let mut previous = '\0';
    for (i, c) in text.char_indices() {
        let exponent = matches!(previous, 'p' | 'P') || (!hex && matches!(previous, 'e' | 'E'));
        let more = is_word(c)
            || c == '.'
            || (matches!(c, '+' | '-') && exponent)
            || (c == '\'' && text[i + 1..].starts_with(|c: char| c.is_ascii_alphanumeric()));
        if !more {
            return i;
        }
        previous = c;
    }
    text.len()
}
