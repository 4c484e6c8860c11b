//! The one error type of the front end: the mistake is in the list of diagnostics already.

/// A proof that an error was reported, as rustc's `ErrorGuaranteed` is. Who gets one gives up too,
/// and says nothing more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reported;
