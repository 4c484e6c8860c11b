//! The SIMT machine: bytecode, the machine that runs it, and its observers. It knows no C++.
//!
//! [`isa`] is the interface to `simt`, which compiles CUDA C++ to bytecode and re-exports the modules of
//! this crate. They are two crates because they are compiled differently: a launch spends its time here,
//! so in the page's module this crate alone is optimised for speed.
//!
//! | module | imports | |
//! |---|---|---|
//! | [`isa`] | | the bytecode |
//! | `event` | `isa` | what happens in a launch, as plain data, and the trait `Observer` |
//! | [`machine`] | `event` | runs a kernel and emits events |
//! | [`observe`] | `event`, `machine` | counts and judges |
//! | `launch` | all | chooses the observers, and reports |
//!
//! The test `layers` holds the column of imports.
//!
//! The crate is pure: it opens no file, reads no clock and no environment (except the processor's
//! features), and depends on `libm` alone, for the functions of `<math.h>` ([`isa::Math`]): their last
//! bits are not a GPU's.
//!
//! It never predicts a time. It counts what a profiler counts, under the profiler's names, and reports
//! what a sanitizer reports, independent of the order in which threads happened to run.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod diagnostic;
mod event;
pub mod isa;
mod lanes;
mod launch;
pub mod machine;
pub mod observe;
pub mod occupancy;
pub mod random;

pub use diagnostic::{Diagnostic, Severity, Sources, Span};
pub use isa::{Kernel, Module};
pub use launch::{Checks, Config, Report, launch};
pub use machine::{
    Arg, Buffer, Dim3, Interrupt, Launch, LaunchError, Limits, Memory, Model, Outcome,
};
pub use observe::{
    Class, Code, Counters, Finding, Follow, History, LineCounters, Record, Site, Trace, Watch,
};
