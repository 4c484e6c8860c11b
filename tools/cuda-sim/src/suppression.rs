//! What is wrong with the suppressions in a source ([`kernel_file::suppression`]).
//!
//! One without a code or a reason suppresses nothing. It is reported where something was found, as one
//! is that is misspelt, that nothing needs, or whose other end is missing.

use crate::finding::{Finding, Level, Standing};
use kernel_file::KernelFile;
use kernel_file::suggest::suggestion;
use kernel_file::suppression::{BEGIN, END, LINE, Marker, NEXT, WORDS, matches, regions};
use simt::observe::{Class, Code};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// The code of a finding about a suppression.
pub(crate) const CODE: &str = "suppression";

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

/// The word that is meant.
fn word(marker: &Marker<'_>) -> &'static str {
    let written = marker.written.trim_end();
    WORDS.into_iter().find(|word| written.eq_ignore_ascii_case(word)).unwrap_or(LINE)
}

/// How a suppression of this code is written in the place of this one.
fn remedy(marker: &Marker<'_>, code: &str) -> String {
    format!("write `{}({code}): why`", word(marker))
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
        let at = match (at, word(&marker)) {
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
                        remedy(&marker, &codes)
                    );
                    all.push(about(file, number, line, Level::Note, message));
                }
            }
            Some(_) => {
                // What is wrong with the word is the same for every code.
                let known = WORDS.contains(&marker.written);
                for code in marker.names().take(if known { usize::MAX } else { 1 }) {
                    if let Some((severity, message)) = judged(&marker, code, file, &at, found) {
                        all.push(about(file, number, line, severity, message));
                    }
                }
            }
        }
    }
    all
}

/// What is wrong with the suppressions of a kernel file at whichever size it runs: at another size
/// something may need those that nothing needs at this one.
pub(crate) fn mistakes(file: &KernelFile, found: &[Finding]) -> Vec<Finding> {
    // What a file promises to be caught for is no finding.
    if file.directives.catches.is_some() {
        return Vec::new();
    }
    let mut all = review(&file.relative, &file.text, found);
    all.retain(|about| about.severity == Level::Warning);
    all
}

/// What is said of the beginning or the end of a suppression whose other end is missing.
fn half(marker: &Marker<'_>) -> Option<String> {
    let codes = marker.codes?;
    marker.names().find(|code| code_of(code).is_ok())?;
    Some(match word(marker) {
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
                "`{written}(` suppresses nothing; write `NOLINT({}): why`, \
                 `NOLINTNEXTLINE` in the line before, or `NOLINTBEGIN` and `NOLINTEND`",
                marker.codes.unwrap_or(code)
            );
            Some((Level::Warning, message))
        }
        Ok(())
            if !found
                .iter()
                .any(|found| matches(code, &found.code) && concerns(found, file, at)) =>
        {
            let (first, last) = (at.start(), at.end());
            let lines = match first == last {
                true => format!("at line {first}"),
                false => format!("in lines {first} to {last}"),
            };
            let message = format!("this suppresses nothing: no `{code}` was found {lines}");
            Some((Level::Note, message))
        }
        Ok(()) if marker.reason.is_empty() => {
            let message =
                format!("this suppresses nothing without a reason; {}", remedy(marker, code));
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
    if known().any(|known| matches(code, known)) {
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
    use kernel_file::suppression;
    use simt::{Sources, diagnostic::Span};

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
            ("x; // NOLINT (shared-race, bounds): why", "write `NOLINT(shared-race, bounds): why`"),
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
    fn a_region_needs_both_ends_a_code_and_a_reason() {
        let says = |begin: &str, end: &str| {
            let text = format!("// {begin}\nx;\n// {end}\n");
            let found = about("a.cu", 2, "x;", Level::Error, String::new());
            let found = Finding { code: "shared-race".to_owned(), ..found };
            let sources = Sources::single("a.cu", text.clone());
            let start = text.find('x').unwrap() as u32;
            let span = Span { file: 0, start, end: start };
            let suppresses = suppression::of(&sources, span, None, "shared-race").is_some();
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
