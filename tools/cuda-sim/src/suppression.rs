//! Suppressions in the source, as clang-tidy has them.
//!
//! `// NOLINT(shared-race): why` concerns its own line, `// NOLINTNEXTLINE(shared-race): why` the next
//! one; it may stand at either place of a race. Several codes are separated by commas. A suppression without a reason suppresses nothing, and
//! one that is misspelt or that nothing needs is reported.

use crate::finding::{Finding, Level, Standing};
use kernel_file::suggest::suggestion;
use simt::observe::{Class, Code};

/// The code of a finding about a suppression.
pub(crate) const CODE: &str = "suppression";

/// What a source says about a finding.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Suppression {
    /// It says nothing.
    No,
    /// The finding is expected: why.
    Because(String),
    /// It names the finding, and gives no reason.
    Unexplained,
}

/// What the source says about the finding with this code in `line`, which follows `before`.
pub(crate) fn of(before: &str, line: &str, code: &str) -> Suppression {
    let own = marker(line, "NOLINT(", code);
    own.or_else(|| marker(before, "NOLINTNEXTLINE(", code)).unwrap_or(Suppression::No)
}

fn marker(line: &str, word: &str, code: &str) -> Option<Suppression> {
    let (_, comment) = line.split_once("//")?;
    let (_, rest) = comment.split_once(word)?;
    let (codes, rest) = rest.split_once(')')?;
    if !codes.split(',').any(|known| known.trim() == code) {
        return None;
    }
    let reason = rest.trim_start().strip_prefix(':').unwrap_or_default().trim();
    Some(match reason.is_empty() {
        true => Suppression::Unexplained,
        false => Suppression::Because(reason.to_owned()),
    })
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

/// Findings about the suppressions in a text: those that are misspelt, and those for codes of this
/// tool at whose lines nothing was found. What names checks of other tools is left alone.
pub(crate) fn review(file: &str, text: &str, found: &[Finding]) -> Vec<Finding> {
    let mut all = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let Some((_, comment)) = line.split_once("//") else { continue };
        let Some(marker) = comment.to_ascii_uppercase().find("NOLINT") else { continue };
        let written = comment[marker..].split('(').next().unwrap_or_default();
        let Some((codes, _)) = comment[marker + written.len()..]
            .strip_prefix('(')
            .and_then(|rest| rest.split_once(')'))
        else {
            continue;
        };
        let next = written == "NOLINTNEXTLINE";
        let number = at as u32 + 1;
        for code in codes.split(',').map(str::trim) {
            let (severity, message) = match code_of(code) {
                Err(None) => continue,
                Err(Some(help)) => {
                    (Level::Warning, format!("no finding has the code `{code}`{help}"))
                }
                Ok(()) if !next && written != "NOLINT" => {
                    let message = format!(
                        "`{written}(` suppresses nothing; write `NOLINT({code}): why`, \
                         or `NOLINTNEXTLINE` in the line before"
                    );
                    (Level::Warning, message)
                }
                Ok(()) => {
                    let line = number + u32::from(next);
                    if found.iter().any(|found| concerns(found, code, file, line)) {
                        continue;
                    }
                    (
                        Level::Note,
                        format!("this suppresses nothing: no `{code}` was found at line {line}"),
                    )
                }
            };
            all.push(about(file, number, line, severity, message));
        }
    }
    all
}

/// Whether the finding has this code, and one of its places is in this line.
fn concerns(found: &Finding, code: &str, file: &str, line: u32) -> bool {
    let other = found.related.as_ref().map(|other| (other.file.as_str(), other.line));
    let places = std::iter::once((found.file.as_str(), found.line)).chain(other);
    found.code == code && places.into_iter().any(|place| place == (file, line))
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
        ] {
            assert!(says(line).contains(words), "{line}: {}", says(line));
        }
    }

    #[test]
    fn a_suppression_names_the_code_and_has_a_reason() {
        let two = "a[0] = 1;  // NOLINT(race, bounds): one word is written twice";
        let why = || Suppression::Because("one word is written twice".to_owned());
        assert_eq!(of("", two, "race"), why());
        assert_eq!(of("", two, "bounds"), why());
        assert_eq!(of("", two, "deadlock"), Suppression::No);
        assert_eq!(
            of("// NOLINTNEXTLINE(deadlock)", "wait();", "deadlock"),
            Suppression::Unexplained
        );
        assert_eq!(of("// NOLINTNEXTLINE(race): why", two, "deadlock"), Suppression::No);
        let other = "b[0] = 1;  // NOLINT(bugprone-branch-clone)";
        assert_eq!(of(two, other, "race"), Suppression::No, "it is not for the next line");
    }
}
