//! A warp's bytecode, the machine that runs it, and what watches it run: all of the simulator that
//! knows no C++.
//!
//! [`isa`] is the language between the two crates: `simt` writes it, this crate runs it. Whoever
//! wants kernels compiled and run takes `simt`, which exports these modules as its own.
//! They stand apart since they are compiled apart: this is where a run's time goes, and in the
//! page's module it alone is compiled for speed.
//!
//! The crate is pure: it opens no file, reads no clock and no environment (beyond asking which
//! vector instructions the processor has), and depends on no other crate but `libm`, for the
//! functions of `<math.h>` ([`isa::Math`]): their last bits are not a GPU's.
//!
//! It never predicts a time. It counts what a profiler counts, under the profiler's names, and it
//! reports what a sanitizer reports, whatever order the threads happened to run in.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod diagnostic;
mod event;
pub mod isa;
mod lanes;
mod launch;
pub mod machine;
pub mod observe;
pub mod occupancy;

pub use diagnostic::{Diagnostic, Severity, Sources, Span};
pub use isa::{Kernel, Module};
pub use launch::{Checks, Config, Report, launch};
pub use machine::{Arg, Buffer, Dim3, Launch, LaunchError, Limits, Memory, Model, Outcome};
pub use observe::{
    Class, Code, Counters, Finding, Follow, History, LineCounters, Record, Site, Trace,
};
