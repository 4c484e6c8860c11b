//! The host: complete programs, with `main`.
//!
//! A program is one translation unit, and its host code is checked by the same front end as its
//! kernels. The kernels become bytecode for warps; the host code is run from its own code, one
//! thread, one statement after the other. What C++ can say of C's and C++'s library and of the CUDA
//! runtime is said in C++, in `headers`; what it cannot is a [`Library`] function.
//!
//! ```text
//! lower     the typed tree to code: registers, frames, what is destroyed where
//! tune      the same code with less to do; swift: with names for what it does to which type
//! machine   runs it; access, memory: pointers, and what may be done with them
//! alu       arithmetic
//! runtime   the C library and the CUDA runtime, a family a file
//! ```
//!
//! Streams run in the order in which the program gives them work, each piece to its end: that is
//! one of the orders that CUDA allows. Time is the caller's clock ([`Outside::now_ns`]), never a
//! prediction.

#![forbid(unsafe_code)]
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod access;
mod alu;
mod code;
mod headers;
mod library;
mod lower;
mod machine;
mod memory;
mod report;
mod runtime;
// A download is small rather than quick.
#[cfg(not(target_arch = "wasm32"))]
mod swift;
#[cfg(not(target_arch = "wasm32"))]
mod tune;

pub(crate) use library::Library;

pub use headers::headers;
use simt::diagnostic::{Diagnostic, Span};
use simt::{
    CheckedProgram, Config, Failure, HostEnvironment, Module, Report as KernelReport, Sources,
};

/// What the host code of a program may include and call.
static ENVIRONMENT: HostEnvironment = HostEnvironment {
    macros: include_str!("headers/program.h"),
    declarations: include_str!("headers/cuda_runtime.h"),
    header: headers::text,
    functions: library::FUNCTIONS,
};

/// Bytes of the device: more fails as on a full machine.
const MEMORY: u64 = 2 << 30;

/// Bytes that the host may allocate: programs ask for much and touch little, and what is not
/// touched costs nothing, but where addresses have 32 bits.
const HOST_MEMORY: u64 = if cfg!(target_pointer_width = "32") { 2 << 30 } else { 4 << 30 };

/// A program, ready to run. Threads may share it.
#[derive(Debug)]
pub struct Program {
    /// Its kernels and `__device__` variables.
    pub module: Module,
    code: code::Code,
}

/// What a program sees of the world: given by the caller, since this crate sees nothing.
pub trait Outside {
    /// Output: to 1 (standard output) or 2 (standard error).
    fn write(&mut self, stream: i32, bytes: &[u8]);
    /// Nanoseconds since 1970.
    fn now_ns(&mut self) -> i64;
    /// The next line of standard input with its end; empty at the end of the input.
    fn read_line(&mut self) -> Vec<u8>;
    /// A file's bytes; `None` where it cannot be read.
    fn open(&mut self, path: &str) -> Option<Vec<u8>>;
    /// Writes a file; whether that was possible.
    fn save(&mut self, path: &str, bytes: &[u8]) -> bool;
}

/// What came of a run.
#[derive(Debug)]
pub struct Report {
    /// As the system would give it: 134 after `abort`, 136 after a division by zero, 139 after a
    /// segmentation fault.
    pub code: i32,
    /// Every launch that started, in order.
    pub launches: Vec<Launched>,
    /// What was found on the host.
    pub diagnostics: Vec<Diagnostic>,
}

/// A launch.
#[derive(Debug)]
pub struct Launched {
    /// The kernel's name.
    pub kernel: String,
    /// Where it was launched.
    pub span: Span,
    /// Whether it was not run, since an earlier one was the same, on memory that held the same: what
    /// that one left was put there.
    pub again: bool,
    /// What came of it; what it printed is in the program's output. After the first thousand
    /// launches, counters are no longer kept by line.
    pub report: KernelReport,
}

/// Compiles a program: every kernel, and `main` with all that it calls. The first file is the
/// translation unit; the others are what it may `#include`, by name.
///
/// # Errors
/// Every diagnostic, in source order, if any of them is an error. Never panics on any text.
pub fn compile(sources: Sources) -> Result<Program, Failure> {
    #[cfg_attr(target_arch = "wasm32", expect(unused_mut, reason = "code stays as it is"))]
    let mut program = lowered(sources)?;
    #[cfg(not(target_arch = "wasm32"))]
    {
        tune::tune(&mut program.code.functions);
        swift::choose(&mut program.code.functions);
    }
    Ok(program)
}

/// The program as it is written.
fn lowered(sources: Sources) -> Result<Program, Failure> {
    let CheckedProgram { mut module, tree, types } = simt::compile_program(sources, &ENVIRONMENT)?;
    match lower::lower(&tree, &types, &mut module.diagnostics) {
        Some(code) => Ok(Program { module, code }),
        None => Err(Failure { sources: module.sources, diagnostics: module.diagnostics }),
    }
}

/// Runs a program to its end. `args` begins with the program's name.
pub fn run(
    program: &Program,
    args: &[String],
    config: &Config,
    outside: &mut dyn Outside,
) -> Report {
    let mut machine = machine::Machine::new(program, config, outside);
    let code = machine.run(args);
    machine.finish();
    Report { code, launches: machine.runtime.launches, diagnostics: machine.diagnostics }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
