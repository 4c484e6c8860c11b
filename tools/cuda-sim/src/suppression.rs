//! Suppressions in the source, as clang-tidy has them.
//!
//! `// NOLINT(shared-race): why` concerns its own line, `// NOLINTNEXTLINE(shared-race): why` the next
//! one; it may stand at either place of a race. Several codes are separated by commas. A suppression
//! without a code or a reason suppresses nothing. It is reported where something was found, as one is
//! that is misspelt, or that nothing needs.

use crate::finding::{Finding, Level, Standing};
use kernel_file::suggest::suggestion;
use simt::observe::{Class, Code};
use std::collections::BTreeSet;

/// The code of a finding about a suppression.
pub(crate) const CODE: &str = "suppression";

/// Why the finding with this code is expected in `line`, which follows `before`, if the source says
/// so.
pub(crate) fn of(before: &str, line: &str, code: &str) -> Option<String> {
    let own = marker(line, "NOLINT(", code);
    own.or_else(|| marker(before, "NOLINTNEXTLINE(", code))
}

fn marker(line: &str, word: &str, code: &str) -> Option<String> {
    let (_, comment) = line.split_once("//")?;
    let (_, rest) = comment.split_once(word)?;
    let (codes, rest) = rest.split_once(')')?;
    if !codes.split(',').any(|known| known.trim() == code) {
        return None;
    }
    let reason = rest.trim_start().strip_prefix(':').unwrap_or_default().trim();
    (!reason.is_empty()).then(|| reason.to_owned())
}

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

    /// Whether it is about the line below.
    fn is_for_next(&self) -> bool {
        self.written.trim_end().eq_ignore_ascii_case("NOLINTNEXTLINE")
    }

    /// How a suppression of this code is written in its place.
    fn remedy(&self, code: &str) -> String {
        let word = if self.is_for_next() { "NOLINTNEXTLINE" } else { "NOLINT" };
        format!("write `{word}({code}): why`")
    }
}

/// Findings about the suppressions in a text: those that are misspelt, those without a code or a
/// reason at whose lines something was found, and those for codes of this tool at whose lines nothing
/// was. What names checks of other tools is left alone.
pub(crate) fn review(file: &str, text: &str, found: &[Finding]) -> Vec<Finding> {
    let mut all = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let Some(marker) = Marker::of(line) else { continue };
        let at = number + u32::from(marker.is_for_next());
        match marker.codes.filter(|codes| !["", "*"].contains(&codes.trim())) {
            None => {
                let here: BTreeSet<&str> = found
                    .iter()
                    .filter(|found| found.standing == Standing::New && concerns(found, file, at))
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
                for code in codes.split(',').map(str::trim) {
                    if let Some((severity, message)) = judged(&marker, code, file, at, found) {
                        all.push(about(file, number, line, severity, message));
                    }
                }
            }
        }
    }
    all
}

/// What is wrong with the suppression of this code for the line `at`.
fn judged(
    marker: &Marker<'_>,
    code: &str,
    file: &str,
    at: u32,
    found: &[Finding],
) -> Option<(Level, String)> {
    let written = marker.written;
    match code_of(code) {
        Err(help) => Some((Level::Warning, format!("no finding has the code `{code}`{}", help?))),
        Ok(()) if !["NOLINT", "NOLINTNEXTLINE"].contains(&written) => {
            let message = format!(
                "`{written}(` suppresses nothing; write `NOLINT({code}): why`, \
                 or `NOLINTNEXTLINE` in the line before"
            );
            Some((Level::Warning, message))
        }
        Ok(()) if !found.iter().any(|found| found.code == code && concerns(found, file, at)) => {
            let message = format!("this suppresses nothing: no `{code}` was found at line {at}");
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

/// Whether one of the finding's places is in this line.
fn concerns(found: &Finding, file: &str, line: u32) -> bool {
    let other = found.related.as_ref().map(|other| (other.file.as_str(), other.line));
    let places = std::iter::once((found.file.as_str(), found.line)).chain(other);
    places.into_iter().any(|place| place == (file, line))
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
}
