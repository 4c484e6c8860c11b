//! Errors: a diagnostic with its place inside the string.

use simt_machine::diagnostic::{Diagnostic, Span};

/// A result, or the first error.
pub type Lowered<T> = Result<T, Box<Diagnostic>>;

/// PTX that ptxas would refuse.
pub(crate) fn error<T>(span: Span, message: impl Into<String>) -> Lowered<T> {
    Err(Box::new(Diagnostic::error("ptx", span, message)))
}

/// The same, with what to do about it.
pub(crate) fn error_help<T>(
    span: Span,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Lowered<T> {
    Err(Box::new(Diagnostic::error("ptx", span, message).with_help(help)))
}

/// PTX that is valid and that the simulator does not run.
pub(crate) fn unsupported<T>(span: Span, construct: impl std::fmt::Display) -> Lowered<T> {
    Err(Box::new(Diagnostic::unsupported(span, construct)))
}

/// The name that a misspelt one may have been: one letter of it is another, is missing or is too many, or
/// its letters are capitals. Of several that with the longest beginning in common. The first letter is the
/// same: `vadd` is no misspelt `add`.
pub(crate) fn nearest<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let word = word.to_ascii_lowercase();
    let (word, mut best) = (word.as_bytes(), None);
    for name in names.filter(|_| word.len() > 1) {
        let common = word.iter().zip(name.as_bytes()).take_while(|(a, b)| a == b).count();
        let is_near = match (&word[common..], &name.as_bytes()[common..]) {
            ([], []) | ([_], []) | ([], [_]) => true,
            ([_, rest @ ..], whole) if rest == whole => true,
            (whole, [_, rest @ ..]) if rest == whole => true,
            ([_, a @ ..], [_, b @ ..]) => a == b,
            _ => false,
        };
        if common > 0 && is_near && best.is_none_or(|(most, _)| common > most) {
            best = Some((common, name));
        }
    }
    best.map(|(_, name)| name)
}
