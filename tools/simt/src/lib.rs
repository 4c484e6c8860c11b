//! CUDA C++ on the CPU, with a profiler's counters and a sanitizer's checks.
//!
//! ```text
//! text ──► syntax ──► sema ──► lower ──► isa ──► machine ──► observe
//!          tokens,    types,   typed     the     warps,      counters,
//!          trees      names    tree to   byte-   barriers,   races, bounds,
//!                              code      code    memory      ...
//! ```
//!
//! Each arrow is one module. Everything from [`isa`] on knows no C++: it is the crate
//! `simt-machine`, whose modules are exported here as if they were this one's.
//! The host code of a program shares a translation unit with its kernels and is checked here, too
//! ([`compile_program`]); the crate `simt-host` runs it.
//! The crate is pure: it opens no file and reads no clock and no environment.
//! What it does not understand it refuses by name, with the place: it never approximates.
//!
//! It never predicts a time. It counts what a profiler counts, under the profiler's names, and it
//! reports what a sanitizer reports, whatever order the threads happened to run in.

#![forbid(unsafe_code)]
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]
// The texts of headers are shortened by the compiler, byte by byte.
#![cfg_attr(target_arch = "wasm32", allow(long_running_const_eval))]

mod embedded;
mod environment;
pub mod lower;
mod reported;
pub mod sema;
mod stack;
pub mod syntax;

#[cfg(any(target_arch = "wasm32", test))]
#[doc(hidden)]
pub use embedded::shortened;
pub use environment::{
    BUILT_IN_HEADER, CType, Files, Found, HostEnvironment, Include, LibraryFunction,
};
pub use simt_machine::{
    Arg, Buffer, Checks, Class, Code, Config, Counters, Diagnostic, Dim3, Finding, Follow, History,
    Interrupt, Kernel, Launch, LaunchError, Limits, LineCounters, Memory, Model, Module, Outcome,
    Record, Report, Severity, Site, Sources, Span, Trace, Watch, launch,
};
pub use simt_machine::{diagnostic, isa, machine, observe, occupancy, random};
pub use simt_ptx::instructions as ptx_instructions;
pub use syntax::headers;

/// Reads what a unit includes: runs the preprocessor, which asks `files` for each header where a
/// live `#include` names it. `unit` is the translation unit with its `units` ([`Sources::with_units`]);
/// a program has a host environment. What is wrong with the text, its compilation reports.
pub fn load(
    unit: Sources,
    environment: Option<&'static HostEnvironment>,
    files: &mut dyn Files,
) -> Sources {
    syntax::load(unit, environment, files)
}

/// Preprocesses and parses kernels without checking names and types; returns what is wrong with their
/// syntax. The fuzzer reaches the parser through it.
pub fn parse(sources: &Sources) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    syntax::parse(sources, None, &mut diagnostics);
    diagnostics
}

/// Compiles every kernel in `sources` (the first file is the translation unit; the others are
/// what it may `#include`, by name).
///
/// # Errors
/// Every diagnostic, in source order, if any of them is an error. Never panics on any text.
pub fn compile(sources: Sources) -> Result<Module, Failure> {
    lower::compile(sources)
}

/// Compiles a program: every kernel to bytecode, and the host code to a typed tree. The first file
/// is the translation unit; the others are what it may `#include`, by name.
///
/// # Errors
/// Every diagnostic, in source order, if any of them is an error. Never panics on any text.
pub fn compile_program(
    sources: Sources,
    environment: &'static HostEnvironment,
) -> Result<CheckedProgram, Failure> {
    lower::program(sources, environment)
}

/// A program: its kernels, ready to launch, and its host code, checked.
#[derive(Debug)]
pub struct CheckedProgram {
    /// The kernels and `__device__` variables.
    pub module: Module,
    /// The host code, and the trees of the kernels.
    pub tree: sema::tree::Program,
    /// The types that the tree names.
    pub types: sema::types::Types,
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
