//! Suppressions in the source, as clang-tidy has them.
//!
//! `// NOLINT(shared-race): why` concerns its own line, `// NOLINTNEXTLINE(shared-race): why` the next
//! one, and `// NOLINTBEGIN(shared-race): why` all lines to `// NOLINTEND(shared-race)`; it may stand at
//! either place of a race. Several codes are separated by commas. A suppression without a code or a
//! reason suppresses nothing. It is reported where something was found, as one is that is misspelt,
//! that nothing needs, or whose other end is missing.

use crate::finding::{Finding, Level, Standing};
use kernel_file::suggest::suggestion;
use simt::observe::{Class, Code};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// The code of a finding about a suppression.
pub(crate) const CODE: &str = "suppression";

/// Why the finding with this code is expected in `line`, which follows `before`, if these lines say so.
pub(crate) fn of(before: &str, line: &str, code: &str) -> Option<String> {
    let own = marker(line, "NOLINT(", code);
    own.or_else(|| marker(before, "NOLINTNEXTLINE(", code))
}

/// The same, if lines around this byte of a text say so.
pub(crate) fn around(text: &str, at: usize, code: &str) -> Option<String> {
    // Counting lines takes longer than this, and most texts have none.
    if !text.contains(BEGIN) {
        return None;
    }
    let line = 1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count() as u32;
    let around = regions(text).into_iter().rev().filter(|(lines, _)| lines.contains(&line));
    around.map(|(_, begin)| begin).find_map(|begin| marker(begin, "NOLINTBEGIN(", code))
}

fn marker(line: &str, word: &str, code: &str) -> Option<String> {
    let (_, comment) = line.split_once("//")?;
    let (_, rest) = comment.split_once(word)?;
    let (codes, rest) = rest.split_once(')')?;
    if !names(codes).any(|known| known == code) {
        return None;
    }
    let reason = rest.trim_start().strip_prefix(':').unwrap_or_default().trim();
    (!reason.is_empty()).then(|| reason.to_owned())
}

/// The codes in brackets.
fn names(codes: &str) -> impl Iterator<Item = &str> {
    codes.split(',').map(str::trim)
}

/// What begins and ends suppressions of several lines, with its lines from 1. One that never ends is
/// none.
fn regions(text: &str) -> Vec<(RangeInclusive<u32>, &str)> {
    let (mut open, mut closed) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        match Marker::of(line) {
            Some(marker) if marker.written == BEGIN => open.push((number, line, marker)),
            Some(end) if end.written == END => {
                let same = |(_, _, begin): &(u32, &str, Marker<'_>)| begin.is_ended_by(&end);
                if let Some(at) = open.iter().rposition(same) {
                    let (first, line, _) = open.remove(at);
                    closed.push((first..=number, line));
                }
            }
            _ => {}
        }
    }
    closed.sort_by_key(|(lines, _)| *lines.start());
    closed
}

/// Words of clang-tidy.
const NEXT: &str = "NOLINTNEXTLINE";
const BEGIN: &str = "NOLINTBEGIN";
const END: &str = "NOLINTEND";
const WORDS: [&str; 4] = ["NOLINT", NEXT, BEGIN, END];

/// Codes of findings in host code that a suppression may name.
const HOST: [&str; 13] = [
    "leak",
    "freed",
    "free",
    "memcpy",
    "memory",
    "launch",
    "exception",
    "arithmetic",
    "exit-code",
    "stream-race",
    "host-race",
    "early-free",
    "unrecorded-event",
];

/// What a comment says to the tools that read it.
struct Marker<'a> {
    /// `NOLINT`, `NOLINTNEXTLINE`, or what resembles them, up to the bracket.
    written: &'a str,
    /// What is in the brackets; `None` without them.
    codes: Option<&'a str>,
    has_reason: bool,
}

impl Marker<'_> {
    fn of(line: &str) -> Option<Marker<'_>> {
        let (_, comment) = line.split_once("//")?;
        let text = &comment[comment.to_ascii_uppercase().find("NOLINT")?..];
        let word = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
        let blanks = text[word..].len() - text[word..].trim_start().len();
        let (written, rest) = text.split_at(word + blanks);
        let bracket = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        Some(match bracket {
            None => Marker { written: &text[..word], codes: None, has_reason: false },
            Some((codes, rest)) => {
                let reason = rest.trim_start().strip_prefix(':').unwrap_or_default().trim();
                Marker { written, codes: Some(codes), has_reason: !reason.is_empty() }
            }
        })
    }

    /// The word that is meant.
    fn word(&self) -> &'static str {
        let written = self.written.trim_end();
        WORDS.into_iter().find(|word| written.eq_ignore_ascii_case(word)).unwrap_or(WORDS[0])
    }

    /// Whether what begins here ends there: both name the same codes.
    fn is_ended_by(&self, end: &Marker<'_>) -> bool {
        self.codes.into_iter().flat_map(names).eq(end.codes.into_iter().flat_map(names))
    }

    /// How a suppression of this code is written in its place.
    fn remedy(&self, code: &str) -> String {
        format!("write `{}({code}): why`", self.word())
    }
}

/// Findings about the suppressions in a text: those that are misspelt, those without a code or a
/// reason at whose lines something was found, and those for codes of this tool at whose lines nothing
/// was. What names checks of other tools is left alone.
pub(crate) fn review(file: &str, text: &str, found: &[Finding]) -> Vec<Finding> {
    let mut all = Vec::new();
    let regions = regions(text);
    for (number, line) in (1..).zip(text.lines()) {
        let Some(marker) = Marker::of(line) else { continue };
        let at = match marker.written {
            BEGIN => regions.iter().find(|(lines, _)| *lines.start() == number),
            END => regions.iter().find(|(lines, _)| *lines.end() == number),
            _ => None,
        };
        let at = match (at, marker.word()) {
            (Some(_), END) => continue,
            (Some((lines, _)), _) => lines.clone(),
            (None, BEGIN | END) if WORDS.contains(&marker.written) => {
                if let Some(message) = half(&marker) {
                    all.push(about(file, number, line, Level::Warning, message));
                }
                continue;
            }
            (None, NEXT) => number + 1..=number + 1,
            (None, _) => number..=number,
        };
        match marker.codes.filter(|codes| !["", "*"].contains(&codes.trim())) {
            None => {
                let here: BTreeSet<&str> = found
                    .iter()
                    .filter(|found| found.standing == Standing::New && concerns(found, file, &at))
                    .map(|found| found.code.as_str())
                    .collect();
                if !here.is_empty() {
                    let codes = here.into_iter().collect::<Vec<_>>().join(", ");
                    let message = format!(
                        "this suppresses nothing here without a code and a reason; {}",
                        marker.remedy(&codes)
                    );
                    all.push(about(file, number, line, Level::Note, message));
                }
            }
            Some(codes) => {
                for code in names(codes) {
                    if let Some((severity, message)) = judged(&marker, code, file, &at, found) {
                        all.push(about(file, number, line, severity, message));
                    }
                }
            }
        }
    }
    all
}

/// What is said of the beginning or the end of a suppression whose other end is missing.
fn half(marker: &Marker<'_>) -> Option<String> {
    let codes = marker.codes?;
    names(codes).find(|code| code_of(code).is_ok())?;
    Some(match marker.word() {
        BEGIN => format!("this suppresses nothing: no `{END}({codes})` follows"),
        _ => format!("this ends nothing: no `{BEGIN}({codes})` comes before"),
    })
}

/// What is wrong with the suppression of this code for the lines `at`.
fn judged(
    marker: &Marker<'_>,
    code: &str,
    file: &str,
    at: &RangeInclusive<u32>,
    found: &[Finding],
) -> Option<(Level, String)> {
    let written = marker.written;
    match code_of(code) {
        Err(help) => Some((Level::Warning, format!("no finding has the code `{code}`{}", help?))),
        Ok(()) if !WORDS.contains(&written) => {
            let message = format!(
                "`{written}(` suppresses nothing; write `NOLINT({code}): why`, \
                 `NOLINTNEXTLINE` in the line before, or `NOLINTBEGIN` and `NOLINTEND`"
            );
            Some((Level::Warning, message))
        }
        Ok(()) if !found.iter().any(|found| found.code == code && concerns(found, file, at)) => {
            let (first, last) = (at.start(), at.end());
            let lines = match first == last {
                true => format!("at line {first}"),
                false => format!("in lines {first} to {last}"),
            };
            let message = format!("this suppresses nothing: no `{code}` was found {lines}");
            Some((Level::Note, message))
        }
        Ok(()) if !marker.has_reason => {
            let message =
                format!("this suppresses nothing without a reason; {}", marker.remedy(code));
            Some((Level::Warning, message))
        }
        Ok(()) => None,
    }
}

/// Whether one of the finding's places is in these lines.
fn concerns(found: &Finding, file: &str, lines: &RangeInclusive<u32>) -> bool {
    let other = found.related.as_ref().map(|other| (other.file.as_str(), other.line));
    let places = std::iter::once((found.file.as_str(), found.line)).chain(other);
    places.into_iter().any(|(other, line)| other == file && lines.contains(&line))
}

/// Whether it is a code of this tool; if not and one is meant, what to write.
fn code_of(code: &str) -> Result<(), Option<String>> {
    let known = || Code::ALL.iter().map(|code| code.name()).chain(HOST);
    if known().any(|known| known == code) {
        return Ok(());
    }
    if let Some(class) = Class::ALL.iter().find(|class| class.name() == code) {
        let codes = Code::ALL.iter().filter(|code| code.class() == *class);
        let codes: Vec<String> = codes.map(|code| format!("`{}`", code.name())).collect();
        return Err(Some(format!(", a class of them; its codes are {}", codes.join(", "))));
    }
    Err(Some(suggestion(code, known())).filter(|near| !near.is_empty()))
}

fn about(file: &str, number: u32, line: &str, severity: Level, message: String) -> Finding {
    let word = match severity {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    };
    let code = CODE;
    let source = line.trim();
    Finding {
        rendered: format!("{word}[{code}]: {message}\n --> {file}:{number}\n  |     {source}\n"),
        severity,
        code: code.to_owned(),
        message,
        file: file.to_owned(),
        line: number,
        column: 0,
        related: None,
        help: None,
        source: source.to_owned(),
        standing: Standing::New,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_and_unneeded_suppressions_are_reported() {
        let says = |line: &str| {
            let found = about("a.cu", 1, line, Level::Error, String::new());
            let found = Finding { code: "shared-race".to_owned(), ..found };
            let all = review("a.cu", line, &[found]);
            let texts: Vec<String> = all.into_iter().map(|finding| finding.message).collect();
            texts.join("; ")
        };
        assert_eq!(says("x; // NOLINT(shared-race): why"), "");
        assert_eq!(says("x; // NOLINT(bugprone-branch-clone, google-*)"), "", "of another tool");
        assert_eq!(says("\nx; // NOLINT"), "", "nothing was found there");
        for (line, words) in [
            ("x; // NOLINT(shared-rase): why", "did you mean `shared-race`?"),
            (
                "x; // NOLINT(race): why",
                "a class of them; its codes are `shared-race`, `global-race`",
            ),
            ("x; // NOLINT(block-race): why", "suppresses nothing: no `block-race` was found"),
            ("x; // NOLINTNEXTLINE(shared-race): why", "found at line 2"),
            ("x; // nolint(shared-race): why", "`nolint(` suppresses nothing; write `NOLINT("),
            ("x; // NOLINT (shared-race): why", "`NOLINT (` suppresses nothing"),
            ("x; // NOLINT(shared-race)", "without a reason; write `NOLINT(shared-race): why`"),
            ("x; // NOLINT(shared-race):  ", "without a reason"),
            ("x; // NOLINT", "without a code and a reason; write `NOLINT(shared-race): why`"),
            ("x; // NOLINT: harmless (see above)", "without a code and a reason"),
            ("x; // nolint(*): harmless", "without a code and a reason"),
        ] {
            assert!(says(line).contains(words), "{line}: {}", says(line));
        }
    }

    #[test]
    fn a_suppression_names_the_code_and_has_a_reason() {
        let two = "a[0] = 1;  // NOLINT(race, bounds): one word is written twice";
        let why = || Some("one word is written twice".to_owned());
        assert_eq!(of("", two, "race"), why());
        assert_eq!(of("", two, "bounds"), why());
        assert_eq!(of("", two, "deadlock"), None);
        assert_eq!(of("// NOLINTNEXTLINE(deadlock)", "wait();", "deadlock"), None);
        assert_eq!(of("// NOLINTNEXTLINE(race): why", two, "deadlock"), None);
        let other = "b[0] = 1;  // NOLINT(bugprone-branch-clone)";
        assert_eq!(of(two, other, "race"), None, "it is not for the next line");
    }

    const REGION: &str = "\
zero;
// NOLINTBEGIN(shared-race): all write one value
// NOLINTBEGIN(block-race, async-race): a flag
two;
// NOLINTEND(shared-race)
three;
// NOLINTEND(block-race,async-race)
four;
";

    #[test]
    fn a_region_suppresses_from_its_beginning_to_its_end() {
        let of = |line: &str, code| around(REGION, REGION.find(line).unwrap(), code);
        let all = || Some("all write one value".to_owned());
        for (line, shared, block) in [
            ("zero", false, false),
            ("two", true, true),
            ("three", false, true),
            ("four", false, false),
        ] {
            assert_eq!(of(line, "shared-race"), all().filter(|_| shared), "{line}");
            assert_eq!(of(line, "block-race").is_some(), block, "{line}");
            assert_eq!(of(line, "uninitialised"), None, "{line}");
        }
    }

    #[test]
    fn a_region_needs_both_ends_a_code_and_a_reason() {
        let says = |begin: &str, end: &str| {
            let text = format!("// {begin}\nx;\n// {end}\n");
            let found = about("a.cu", 2, "x;", Level::Error, String::new());
            let found = Finding { code: "shared-race".to_owned(), ..found };
            let suppresses = around(&text, text.find('x').unwrap(), "shared-race").is_some();
            let all = review("a.cu", &text, &[found]);
            let texts: Vec<String> =
                all.iter().map(|one| format!("{}: {}", one.line, one.message)).collect();
            (suppresses, texts.join("; "))
        };
        let right = ("NOLINTBEGIN(shared-race): why", "NOLINTEND(shared-race)");
        assert_eq!(says(right.0, right.1), (true, String::new()));
        assert_eq!(says("NOLINTBEGIN(google-*)", "NOLINTEND(google-*)"), (false, String::new()));
        assert_eq!(says("NOLINTBEGIN(google-*)", "x"), (false, String::new()), "of another tool");
        for (begin, end, words) in [
            (
                "NOLINTBEGIN",
                "NOLINTEND",
                "1: this suppresses nothing here without a code and a reason; write `NOLINTBEGIN(shared-race): why`",
            ),
            (
                "NOLINTBEGIN(*): why",
                "NOLINTEND(*)",
                "1: this suppresses nothing here without a code",
            ),
            (
                "NOLINTBEGIN(shared-race)",
                right.1,
                "1: this suppresses nothing without a reason; write `NOLINTBEGIN(shared-race): why`",
            ),
            (
                right.0,
                "NOLINTEND",
                "1: this suppresses nothing: no `NOLINTEND(shared-race)` follows",
            ),
            (
                right.0,
                "NOLINTEND(block-race)",
                "; 3: this ends nothing: no `NOLINTBEGIN(block-race)` comes before",
            ),
            (
                "NOLINTBEGIN(block-race): why",
                "NOLINTEND(block-race)",
                "1: this suppresses nothing: no `block-race` was found in lines 1 to 3",
            ),
            (
                "NOLINTBEGIN(shared-rase): why",
                "NOLINTEND(shared-rase)",
                "1: no finding has the code `shared-rase`; did you mean `shared-race`?",
            ),
            ("nolintbegin(shared-race): why", right.1, "1: `nolintbegin(` suppresses nothing"),
        ] {
            let (suppresses, said) = says(begin, end);
            assert!(!suppresses && said.contains(words), "{begin}, {end}: {said}");
        }
    }
}
