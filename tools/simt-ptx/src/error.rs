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
