//! CUDA C++ on the CPU, with a profiler's counters and a sanitizer's checks.
//!
//! ```text
//! text ──► syntax ──► sema ──► lower ──► isa ──► machine ──► observe
//!          tokens,    types,   typed     the     warps,      counters,
//!          trees      names    tree to   byte-   barriers,   races, bounds,
//!                              code      code    memory      ...
//! ```
//!
//! Each arrow is one module, and nothing points backwards.
//! The crate is pure: it opens no file, reads no clock and no environment (beyond asking which
//! vector instructions the processor has), and depends on no other crate but `libm`, for the functions of
//! `<math.h>` ([`isa::Math`]): their last bits are not a GPU's.
//! What it does not understand it refuses by name, with the place: it never approximates.
//!
//! It never predicts a time. It counts what a profiler counts, under the profiler's names, and it
//! reports what a sanitizer reports, whatever order the threads happened to run in.

pub mod diagnostic;
pub mod host;
pub mod isa;

pub mod lower;
pub mod sema;
pub mod syntax;

pub mod machine;
pub mod observe;

pub mod occupancy;

pub use diagnostic::{Diagnostic, Severity, Sources, Span};
pub use isa::{Kernel, Module};
pub use machine::{
    Arg, Buffer, Config, Dim3, Launch, LaunchError, Limits, Memory, Model, Outcome, Report, launch,
};
pub use observe::{
    Checks, Class, Code, Counters, Finding, Follow, History, LineCounters, Record, Site, Trace,
};
pub use syntax::headers;

/// Compiles every kernel in `sources` (the first file is the translation unit; the others are
/// what it may `#include`, by name).
///
/// # Errors
/// Every diagnostic, in source order, if any of them is an error. Never panics on any text.
pub fn compile(sources: Sources) -> Result<Module, Failure> {
    lower::compile(sources)
}

/// Why a text did not compile: its diagnostics, and the text to show them in.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The files, for rendering.
    pub sources: Sources,
    /// At least one error.
    pub diagnostics: Vec<Diagnostic>,
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
