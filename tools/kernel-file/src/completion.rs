//! What may be written at a place of a directive.
//!
//! The parser knows. It is given the line with a name there that nothing has, and its error lists the
//! words that it expected. So there is no second grammar and no second list of words.

use crate::cursor::Cursor;
use crate::declared::Defect;
use crate::directive::{Directives, WORDS};
use crate::documentation::{self, Documented, EXERCISE};
use crate::exercise::{is_exercise, refusal};
use crate::text_error::TextError;
use crate::token::significant;

/// What may be written at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The directive whose argument it is; `None` for the directive's own word.
    pub directive: Option<&'static Documented>,
    /// The column, from 1, at which the word begins that they replace.
    pub column: u32,
    /// The words.
    pub words: Vec<String>,
}

/// A name that no array and no word of a directive has.
const HERE: &str = "the_cursor_is_here";

/// Ends of a line that is not yet written to its end: the line is read with each, until one shows
/// what is expected.
const ENDS: [&str; 5] = ["", ")", "]", ": a reason", ", 1 minutes"];

/// What may be written in a text at a line and before a column, both from 1. `None` outside of
/// directives and marks, and where any name or number may stand.
pub fn at(text: &str, line: u32, column: u32) -> Option<Completion> {
    let above = text.lines().take(line.checked_sub(1)? as usize);
    let current = text.lines().nth(line as usize - 1)?;
    let here = current.char_indices().nth(column.checked_sub(1)? as usize);
    let (before, after) = current.split_at(here.map_or(current.len(), |(byte, _)| byte));
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (start, after) =
        (before.trim_end_matches(is_of_name), after.trim_start_matches(is_of_name));
    if let Some((code, class)) = before.split_once("//~") {
        let blanks = class.chars().take_while(|c| c.is_whitespace()).count();
        let column = code.chars().count() + 4 + blanks;
        let words = Defect::all().map(|defect| defect.name().to_owned()).collect();
        return Some(Completion {
            directive: documentation::of("catch"),
            column: column as u32,
            words,
        });
    }
    let indent = current.len() - current.trim_start().len();
    let start = start.get(indent..)?.strip_prefix("//@")?;
    let column = current[..indent].chars().count() as u32 + 4;
    let mut known = Directives::default();
    for (above, number) in above.zip(1..) {
        if let Some(rest) = above.trim_start().strip_prefix("//@") {
            // What is wrong there is another line's matter.
            let _ = known.add(number, 4, rest);
        }
    }
    for end in std::iter::once(after).chain(ENDS) {
        let rest = format!("{start}{HERE}{end}");
        let rest = Cursor { line, column, text: &rest };
        if let Some(completion) = of_line(text, known.clone(), rest) {
            return Some(completion);
        }
    }
    None
}

/// What is expected at [`HERE`] of a directive.
fn of_line(text: &str, mut known: Directives, rest: Cursor<'_>) -> Option<Completion> {
    let mut arguments = rest;
    arguments.skip_blanks();
    let column = arguments.column;
    let word = arguments.word();
    if word.contains(HERE) {
        let own = EXERCISE.iter().map(Documented::word);
        let own = own.filter(|word| *word == "exercise" || is_exercise(text));
        let words = WORDS.into_iter().chain(own).map(str::to_owned).collect();
        return Some(Completion { directive: None, column, words });
    }
    let directive = Some(documentation::of(word)?);
    let is_here = |error: &TextError| error.message.contains(HERE) && !error.expected.is_empty();
    if word == "launch" && arguments.text.trim_start().starts_with(HERE) {
        arguments.skip_blanks();
        let words = kernels(text);
        return Some(Completion { directive, column: arguments.column, words });
    }
    let error = match WORDS.contains(&word) {
        true => known.add(rest.line, rest.column, rest.text).err(),
        false => refusal(word, arguments, known.scalar_names()),
    };
    let TextError { column, expected, .. } = error.filter(is_here)?;
    Some(Completion { directive, column, words: expected })
}

/// The names of the kernels that a text defines, in order.
fn kernels(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut tokens = significant(text);
    while tokens.any(|token| token == "__global__") {
        let (mut name, mut depth, mut is_bound) = ("", 0, false);
        for token in tokens.by_ref() {
            match token {
                "(" if depth == 0 && !is_bound => break,
                "(" => depth += 1,
                ")" => depth -= 1,
                // Its brackets hold bounds, no parameters.
                _ if depth == 0 => (name, is_bound) = (token, token == "__launch_bounds__"),
                _ => {}
            }
            is_bound &= depth == 0;
        }
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
//@ input in: int[n] = zero
//@ let blocks = (n + 511) / 512
//@ map tiles: in (n) box (64)
LINE
__global__ void __launch_bounds__(256, 2) sum(const int* in) {}
__global__ void
tail(int* in) {}
";

    /// What is offered at the bar.
    fn offered(line: &str) -> Option<(u32, Vec<String>)> {
        let text = FILE.replace("LINE", &line.replacen('|', "", 1));
        let bar = line.find('|').unwrap() as u32;
        at(&text, 4, bar + 1).map(|completion| (completion.column, completion.words))
    }

    #[test]
    fn the_parser_says_what_may_stand_there() {
        for (line, column, some) in [
            ("//@ |", 5, "launch"),
            ("//@ lau|", 5, "launch"),
            ("//@|", 4, "exercise"),
            ("  //@ inp|ut a: int[n] = zero", 7, "input"),
            ("//@ input a: |", 14, "unsigned int"),
            ("//@ input a: unsigned i|", 14, "unsigned int"),
            ("//@ input a: fl|[n] = zero", 14, "float"),
            ("//@ input a: int[|", 18, "blocks"),
            ("//@ input a: int[4 * (bl|) + 1] = zero", 23, "blocks"),
            ("//@ input a: int[n] = |", 23, "lcg256"),
            ("//@ launch |", 12, "tail"),
            ("//@ launch s|(in) grid = 1, block = 1", 12, "sum"),
            ("//@ launch sum(|", 16, "in"),
            ("//@ launch sum(t|) grid = 1, block = 32", 16, "tiles"),
            ("//@ launch sum(in, |, n) grid = 1, block = 32", 20, "blocks"),
            ("//@ launch sum(in) |", 20, "shared"),
            ("//@ launch sum(in) grid = 1, |", 30, "block"),
            ("//@ launch sum(in) grid = (n, b|", 31, "blocks"),
            ("//@ catch |", 11, "sync-mask"),
            ("//@ catch sync-m|", 11, "sync-mask"),
            ("//@ fold |", 10, "add"),
            ("//@ tolerance |", 15, "abs"),
            ("//@ tolerance abs 1e-5 |", 24, "rel"),
            ("//@ skip |", 10, "nvrtc"),
            ("//@ differs |", 13, "fewer"),
            ("//@ differs more |", 18, "shared_load_conflicts"),
            ("//@ map m: |", 12, "in"),
            ("//@ exercise |", 14, "improve"),
            ("//@ gate |", 10, "shared_load_conflicts"),
            ("//@ gate barriers <= |", 22, "blocks"),
            ("//@ wrong |", 11, "gate WORD"),
            ("x = 1;  //~ ra|", 13, "race"),
        ] {
            let (at, words) = offered(line).unwrap_or_else(|| panic!("{line}: nothing"));
            assert!(
                at == column && words.iter().any(|word| word == some),
                "{line}: {at} {words:?}"
            );
        }
        assert_eq!(offered("//@ launch |").unwrap().1, ["sum", "tail"]);
    }

    #[test]
    fn nothing_is_offered_where_anything_may_stand() {
        for line in
            ["int x|;", "//@ let |", "//@ page 6|", "//@ sass |", "//@ nothing |", "|//@ page"]
        {
            assert_eq!(offered(line), None, "{line}");
        }
        assert_eq!(at("//@ page 1\n", 0, 1), None);
        assert_eq!(at("//@ page 1\n", 1, 0), None);
        assert_eq!(at("//@ page 1\n", 7, 1), None);
        assert_eq!(at("", 1, 1), None);
    }
}
