//! Suppressions in a source, as clang-tidy has them.
//!
//! `// NOLINT(shared-race): why` concerns its own line, `// NOLINTNEXTLINE(shared-race): why` the next
//! one, and `// NOLINTBEGIN(shared-race): why` all lines to `// NOLINTEND(shared-race)`; it may stand at
//! either place of a race, and in a comment between `/*` and `*/`. Several codes are separated by
//! commas, and a `*` in one stands for any letters: `block-*`. A suppression without a code or a
//! reason suppresses nothing.

use simt::{Sources, diagnostic::Span};
use std::ops::RangeInclusive;

/// The words of clang-tidy: of the line, the next line, and the ends of a region.
pub const LINE: &str = "NOLINT";
/// See [`LINE`].
pub const NEXT: &str = "NOLINTNEXTLINE";
/// See [`LINE`].
pub const BEGIN: &str = "NOLINTBEGIN";
/// See [`LINE`].
pub const END: &str = "NOLINTEND";
/// All of them.
pub const WORDS: [&str; 4] = [LINE, NEXT, BEGIN, END];

/// What a comment says to the tools that read it.
#[derive(Debug, Clone, Copy)]
pub struct Marker<'a> {
    /// `NOLINT`, `NOLINTNEXTLINE`, or what resembles them, up to the bracket.
    pub written: &'a str,
    /// What is in the brackets; `None` without them.
    pub codes: Option<&'a str>,
    /// The text after the colon; empty if there is none.
    pub reason: &'a str,
}

impl<'a> Marker<'a> {
    /// The first one in a line.
    pub fn of(line: &'a str) -> Option<Marker<'a>> {
        let at = line.to_ascii_uppercase().find(LINE)?;
        let opened = line[..at].rfind("//").max(line[..at].rfind("/*"))?;
        let text = match line[opened..].starts_with("/*") {
            true if line[opened..at].contains("*/") => return None,
            true => line[at..].split("*/").next().unwrap_or_default(),
            false => &line[at..],
        };
        let word = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
        let blanks = text[word..].len() - text[word..].trim_start().len();
        let (written, rest) = text.split_at(word + blanks);
        let bracket = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        Some(match bracket {
            None => Marker { written: &text[..word], codes: None, reason: "" },
            Some((codes, rest)) => {
                let reason = rest.trim_start().strip_prefix(':').unwrap_or_default().trim();
                Marker { written, codes: Some(codes), reason }
            }
        })
    }

    /// The codes in its brackets.
    pub fn names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.codes.into_iter().flat_map(|codes| codes.split(',')).map(str::trim)
    }

    /// Why it suppresses this code, if it is this word and does.
    fn excuses(&self, word: &str, code: &str) -> Option<String> {
        let all = self.codes.is_some_and(|codes| codes.trim() == "*");
        let named = self.written == word && !all && self.names().any(|name| matches(name, code));
        (named && !self.reason.is_empty()).then(|| self.reason.to_owned())
    }

    /// Whether what begins here ends there: both name the same codes.
    fn is_ended_by(&self, end: &Marker<'_>) -> bool {
        self.names().eq(end.names())
    }
}

/// Whether a code, or one with `*` for any letters, means this one.
pub fn matches(pattern: &str, code: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == code };
    let Some(mut left) = code.strip_prefix(start) else { return false };
    let mut parts = rest.split('*').rev();
    let Some(inner) = left.strip_suffix(parts.next().unwrap_or_default()) else { return false };
    left = inner;
    parts.rev().all(|part| {
        let found = left.split_once(part);
        left = found.map_or("", |(_, behind)| behind);
        found.is_some()
    })
}

/// What begins and ends suppressions of several lines, with its lines from 1. One that never ends is
/// none.
pub fn regions(text: &str) -> Vec<(RangeInclusive<u32>, Marker<'_>)> {
    let (mut open, mut closed) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        match Marker::of(line) {
            Some(marker) if marker.written == BEGIN => open.push((number, marker)),
            Some(end) if end.written == END => {
                let same = |(_, begin): &(u32, Marker<'_>)| begin.is_ended_by(&end);
                if let Some(at) = open.iter().rposition(same) {
                    let (first, begin) = open.remove(at);
                    closed.push((first..=number, begin));
                }
            }
            _ => {}
        }
    }
    closed.sort_by_key(|(lines, _)| *lines.start());
    closed
}

/// The line that holds the byte `at`, and the one before it. A text may have as many findings as
/// lines, so no more is looked at.
fn lines_at(text: &str, at: usize) -> (&str, &str) {
    let (above, below) = text.split_at_checked(at).unwrap_or((text, ""));
    let start = above.rfind('\n').map_or(0, |end| end + 1);
    let end = below.find('\n').map_or(text.len(), |end| above.len() + end);
    let before = text[..start].strip_suffix('\n').unwrap_or_default();
    (before.rsplit('\n').next().unwrap_or_default(), &text[start..end])
}

/// Why the finding with this code at the byte `at` of a text is expected, if the text says so.
fn at_byte(text: &str, at: usize, code: &str) -> Option<String> {
    let (before, line) = lines_at(text, at);
    let of = |line, word| Marker::of(line).and_then(|marker| marker.excuses(word, code));
    if let Some(reason) = of(line, LINE).or_else(|| of(before, NEXT)) {
        return Some(reason);
    }
    // Counting lines takes longer than this, and most texts have none.
    if !text.contains(BEGIN) {
        return None;
    }
    let line = 1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count() as u32;
    let around = regions(text).into_iter().rev().filter(|(lines, _)| lines.contains(&line));
    around.map(|(_, begin)| begin).find_map(|begin| begin.excuses(BEGIN, code))
}

/// Why a finding with this code is expected, if the source says so at its place, or else at its other
/// one: which access of a race came second may change.
pub fn of(sources: &Sources, place: Span, other: Option<Span>, code: &str) -> Option<String> {
    let files = sources.files();
    let text = |span: Span| files.get(span.file as usize).map_or("", |(_, text)| text.as_str());
    let mut places = std::iter::once(place).chain(other);
    places.find_map(|span| at_byte(text(span), span.start as usize, code))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the last line of a text.
    fn last(text: &str, code: &str) -> Option<String> {
        at_byte(text, text.len(), code)
    }

    #[test]
    fn a_suppression_names_the_code_and_has_a_reason() {
        let two = "a[0] = 1;  // NOLINT(race, bounds): one word is written twice";
        let why = || Some("one word is written twice".to_owned());
        assert_eq!(last(two, "race"), why());
        assert_eq!(last(two, "bounds"), why());
        assert_eq!(last(two, "deadlock"), None);
        assert_eq!(last("// NOLINTNEXTLINE(deadlock)\nwait();", "deadlock"), None);
        assert_eq!(last("// NOLINTNEXTLINE(deadlock): why\nwait();", "deadlock").unwrap(), "why");
        let other = "b[0] = 1;  // NOLINT(bugprone-branch-clone)";
        assert_eq!(last(&format!("{two}\n{other}"), "race"), None, "it is not for the next line");
    }

    #[test]
    fn a_comment_may_have_an_end_and_a_code_a_star() {
        for (line, reason) in [
            ("x; /* NOLINT(block-race): why */", Some("why")),
            ("x; /* NOLINT(block-race): why */ y; // more", Some("why")),
            ("x; /* no */ y; // NOLINT(block-race): why", Some("why")),
            ("x; // see http://a.b NOLINT(block-race): why", Some("why")),
            ("x; /* no */ NOLINT(block-race): why", None),
            ("x; /* NOLINT(block-race): */", None),
            ("x; // NOLINT(block-*): why", Some("why")),
            ("x; // NOLINT(*-race, leak): why", Some("why")),
            ("x; // NOLINT(b*ck*race): why", Some("why")),
            ("x; // NOLINT(shared-*): why", None),
            ("x; // NOLINT(block): why", None),
            ("x; // NOLINT(*): why", None),
        ] {
            assert_eq!(last(line, "block-race").as_deref(), reason, "{line}");
        }
    }

    const REGION: &str = "\
zero;
// NOLINTBEGIN(shared-race): all write one value
// NOLINTBEGIN(block-race, async-race): a flag
two;
/* NOLINTEND(shared-race) */
three;
// NOLINTEND(block-race,async-race)
four;
";

    #[test]
    fn a_region_suppresses_from_its_beginning_to_its_end() {
        let of = |line: &str, code| at_byte(REGION, REGION.find(line).unwrap(), code);
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
}
