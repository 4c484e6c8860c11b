//! Suppressions in the source, as clang-tidy has them.
//!
//! `// NOLINT(shared-race): why` concerns its own line, `// NOLINTNEXTLINE(shared-race): why` the next
//! one. Several codes are separated by commas. A suppression without a reason suppresses nothing.

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

#[cfg(test)]
mod tests {
    use super::*;

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
