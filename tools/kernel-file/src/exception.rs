//! Exceptions that a kernel file declares, each with its reason: a back end that cannot run it, a
//! counter that hardware counts differently, a result that depends on the order of threads, and a mutant
//! that changes nothing.
//!
//! ```text
//! //@ skip nvrtc: why (2026-11-21)
//! //@ differs fewer global_load_requests, global_load_sectors: why (2026-11-21)
//! //@ unordered: why (2026-11-21)
//! //@ equivalent `<=` for `<` in `for (int k = 0; k < 8; k++) {`: why
//! ```
//!
//! Tests check that each exception is still needed.

use crate::cursor::Cursor;
use crate::text_error::TextError;
use crate::verdict::{BackendName, Counter};

/// The directives that only the project's tests read: a page does not show them.
const FOR_TESTS: [&str; 3] = ["differs", "unordered", "equivalent"];

/// Whether a line of a kernel file is a directive that only tests read.
pub(crate) fn is_for_tests(line: &str) -> bool {
    let word = line.trim_start().strip_prefix("//@").and_then(|r| r.split_whitespace().next());
    word.is_some_and(|word| FOR_TESTS.contains(&word.trim_end_matches(':')))
}

/// A back end that does not run the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skip {
    /// The back end.
    pub backend: BackendName,
    /// Why.
    pub reason: String,
    /// The day on which the reason was written: `2026-11-21`.
    pub date: String,
    /// The line of the directive.
    pub line: u32,
}

/// Counters that the profiler counts differently from the simulator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Differs {
    /// How the profiler's count differs.
    pub direction: Direction,
    /// The counters' words, as [`Counter::word`] spells them.
    pub counters: Vec<String>,
    /// Why.
    pub reason: String,
    /// The day on which the reason was written: `2026-11-21`.
    pub date: String,
    /// The line of the directive.
    pub line: u32,
}

/// How the profiler's count may differ from the simulator's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The profiler counts less.
    Fewer,
    /// The profiler counts more.
    More,
    /// The profiler counts more in some runs and the same in others.
    Noise,
}

impl Direction {
    /// Whether the profiler's count may be `theirs` where the simulator's is `ours`.
    pub fn allows(self, ours: f64, theirs: f64) -> bool {
        match self {
            Direction::Fewer => theirs < ours,
            Direction::More | Direction::Noise => theirs > ours,
        }
    }
}

/// Results that depend on the order in which threads run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unordered {
    /// Why.
    pub reason: String,
    /// The day on which the reason was written: `2026-11-21`.
    pub date: String,
    /// The line of the directive.
    pub line: u32,
}

/// A mutant that no test can tell from the file itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Equivalent {
    /// What was changed: `` `<=` for `<` ``.
    pub mutation: String,
    /// The changed line as in the file, without indentation.
    pub text: String,
    /// Why nothing changes.
    pub reason: String,
    /// The line of the directive.
    pub line: u32,
}

impl Skip {
    /// Parses what follows `skip`.
    pub(crate) fn parse(mut rest: Cursor<'_>) -> Result<Skip, TextError> {
        let line = rest.line;
        rest.skip_blanks();
        let Some(colon) = rest.text.find(':') else {
            return Err(rest.error("expected `skip backend: reason (2026-11-21)`".to_owned()));
        };
        let known = BackendName::ALL.map(|b| (b.word(), b));
        let backend = rest.until(colon).one_of("back end", &known)?;
        rest.advance(colon + 1);
        let (reason, date) = dated_reason(rest)?;
        Ok(Skip { backend, reason, date, line })
    }
}

impl Differs {
    /// Parses what follows `differs`.
    pub(crate) fn parse(mut rest: Cursor<'_>) -> Result<Differs, TextError> {
        let line = rest.line;
        rest.skip_blanks();
        let Some(colon) = rest.text.find(':') else {
            let message = "expected `differs fewer counter, counter: reason (2026-11-21)`";
            return Err(rest.error(message.to_owned()));
        };
        let mut before = rest.until(colon);
        let start = before;
        let word = before.word();
        let direction = start.until(word.len()).one_of(
            "direction",
            &[("fewer", Direction::Fewer), ("more", Direction::More), ("noise", Direction::Noise)],
        )?;
        let known: Vec<String> = Counter::all(&simt::Counters::default())
            .iter()
            .filter(|counter| !counter.metric.is_empty())
            .map(Counter::word)
            .collect();
        let mut counters = Vec::new();
        for mut part in before.split(',') {
            part.skip_blanks();
            let counter = part.text.trim();
            if !known.iter().any(|k| k == counter) {
                let known = known.iter().map(String::as_str);
                return Err(part.unknown("unknown counter", counter, known));
            }
            counters.push(counter.to_owned());
        }
        if counters.is_empty() {
            return Err(before.error("expected the counters that differ".to_owned()));
        }
        rest.advance(colon + 1);
        let (reason, date) = dated_reason(rest)?;
        Ok(Differs { direction, counters, reason, date, line })
    }
}

impl Unordered {
    /// Parses what follows `unordered`.
    pub(crate) fn parse(mut rest: Cursor<'_>) -> Result<Unordered, TextError> {
        let line = rest.line;
        rest.skip_blanks();
        if !rest.text.starts_with(':') {
            return Err(rest.error("expected `unordered: reason (2026-11-21)`".to_owned()));
        }
        rest.advance(1);
        let (reason, date) = dated_reason(rest)?;
        Ok(Unordered { reason, date, line })
    }
}

impl Equivalent {
    /// Parses what follows `equivalent`.
    pub(crate) fn parse(mut rest: Cursor<'_>) -> Result<Equivalent, TextError> {
        let line = rest.line;
        rest.skip_blanks();
        let parts = rest.text.split_once(" in `").and_then(|(mutation, rest)| {
            let (text, reason) = rest.split_once("`:")?;
            Some([mutation, text, reason].map(|part| part.trim().to_owned()))
        });
        let Some([mutation, text, reason]) = parts.filter(|p| p.iter().all(|p| !p.is_empty()))
        else {
            return Err(rest
                .error("expected a mutation, its line and a reason: ``` `<=` for `<` in `for (int k = 0; k < 8; k++) {`: why ```"
                    .to_owned()));
        };
        Ok(Equivalent { mutation, text, reason, line })
    }
}

/// `why (2026-11-21)`: the reason and the date.
fn dated_reason(mut rest: Cursor<'_>) -> Result<(String, String), TextError> {
    rest.skip_blanks();
    let dated = rest.text.trim_end().strip_suffix(')').and_then(|t| t.rsplit_once('('));
    match dated.filter(|(reason, date)| !reason.trim().is_empty() && is_date(date)) {
        Some((reason, date)) => Ok((reason.trim().to_owned(), date.to_owned())),
        None => {
            Err(rest
                .error("expected a reason and the date in brackets: `why (2026-11-21)`".to_owned()))
        }
    }
}

fn is_date(text: &str) -> bool {
    text.len() == 10
        && text
            .chars()
            .enumerate()
            .all(|(i, c)| if i == 4 || i == 7 { c == '-' } else { c.is_ascii_digit() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rest(text: &str) -> Cursor<'_> {
        Cursor { line: 3, column: 1, text }
    }

    #[test]
    fn a_difference_names_its_counters() {
        let text = " fewer global_load_requests, global_load_sectors: read once (2026-11-21)";
        let differs = Differs::parse(rest(text)).unwrap();
        assert_eq!(differs.counters, ["global_load_requests", "global_load_sectors"]);
        assert_eq!((differs.reason.as_str(), differs.line), ("read once", 3));
        assert!(differs.direction.allows(2.0, 1.0) && !differs.direction.allows(1.0, 2.0));
        for (bad, message) in [
            ("fewer", "expected `differs fewer counter, counter: reason (2026-11-21)`"),
            (
                "less x: y (2026-11-21)",
                "unknown direction `less`; expected one of `fewer`, `more`, `noise`",
            ),
            ("more: y (2026-11-21)", "expected the counters that differ"),
            (
                "more global_load_sector: y (2026-11-21)",
                "unknown counter `global_load_sector`; did you mean `global_load_sectors`?",
            ),
            (
                "more global_load_sectors: because",
                "expected a reason and the date in brackets: `why (2026-11-21)`",
            ),
        ] {
            let error = Differs::parse(rest(bad)).unwrap_err();
            assert_eq!(error.message, message, "{bad}");
        }
    }

    #[test]
    fn an_equivalent_mutant_names_its_line() {
        let text = " `<=` for `<` in `for (int k = 0; k < 8; k++) {`: it adds 0: always";
        let equivalent = Equivalent::parse(rest(text)).unwrap();
        assert_eq!(equivalent.mutation, "`<=` for `<`");
        assert_eq!(equivalent.text, "for (int k = 0; k < 8; k++) {");
        assert_eq!(equivalent.reason, "it adds 0: always");
        assert!(Equivalent::parse(rest("`<=` for `<` in `x`:")).is_err());
        assert!(Equivalent::parse(rest("`<=` for `<`: why")).is_err());
    }
}
