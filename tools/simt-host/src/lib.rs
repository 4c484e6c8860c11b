//! The host side of a CUDA program: a bytecode interpreter for host code, its optimiser, and the C,
//! C++ and CUDA-runtime library.
//!
//! `simt` compiles a program: the kernels to bytecode for warps, the host code to a typed tree. Here
//! the tree becomes bytecode of another kind, for one thread with scalar registers, which is
//! interpreted. The library is C++ text where C++ can express it (`headers`); below it are the
//! functions of [`library`].
//!
//! ```text
//! typed tree -> lower -> bytecode -> optimise -> specialised, strips -> interpreter -> runtime -> simt
//! ```
//!
//! | module | what it does |
//! | --- | --- |
//! | `headers`, `library` | C++ texts that a program includes; the table of functions below them |
//! | `lower` | code generation: typed tree to bytecode, stack frames, cleanups, exceptions |
//! | `bytecode` | the instruction set, register-based and generic in the type ([`bytecode::Inst`]) |
//! | `optimise` | inlining, copy propagation, dead-code elimination |
//! | `specialised` | a second instruction set: one opcode per operation and type, and superinstructions |
//! | `strips` | loops whose iterations can run side by side |
//! | `interpreter` | runs functions: `fast` (specialised opcodes) or `compact` (generic ones, for WebAssembly), and `slow` for all that they leave |
//! | `alu` | arithmetic |
//! | `heap` | the host's objects and pointers to them |
//! | `runtime` | the C library, the CUDA runtime, and modules that are loaded while a program runs |
//!
//! Streams run in the order in which the program issues work, each piece to its end: one of the
//! orders that CUDA allows; [`Report::findings`] say what another order could change, and [`run_streams`]
//! tries some. Time is the caller's clock ([`Os::now_ns`]), never a prediction.
//!
//! Not done: concurrency. One host thread runs, and work on streams does not overlap.

#![forbid(unsafe_code)]
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]
// The texts of headers are shortened by the compiler, byte by byte.
#![cfg_attr(target_arch = "wasm32", allow(long_running_const_eval))]

mod alu;
mod bytecode;
mod headers;
mod host_memory;
mod interpreter;
mod library;
mod lower;
// A page's module is downloaded: there the code is small rather than fast.
#[cfg(not(target_arch = "wasm32"))]
mod optimise;
mod report;
mod runtime;
#[cfg(not(target_arch = "wasm32"))]
mod specialised;
#[cfg(not(target_arch = "wasm32"))]
mod strips;
mod timeline;

pub(crate) use library::Library;

pub use headers::headers;
use simt::diagnostic::{Diagnostic, Span};
use simt::{
    CheckedProgram, Config, Counters, Dim3, Failure, HostEnvironment, Module, Record,
    Report as KernelReport, Severity, Sources,
};
pub use timeline::{Issued, Operation, Timeline};

/// What the host code of a program may include and call.
static ENVIRONMENT: HostEnvironment = HostEnvironment {
    macros: simt::embedded!(include_str!("headers/program.h")),
    declarations: simt::embedded!(include_str!("headers/cuda_runtime.h")),
    where_named: headers::WHERE_NAMED,
    header: headers::text,
    both_sides: false,
    functions: library::FUNCTIONS,
};

/// Bytes of device memory, as the device's properties say: an allocation beyond them fails as on a full
/// device. Untouched pages cost nothing, except where addresses have 32 bits.
const DEVICE_MEMORY: u64 = if cfg!(target_pointer_width = "32") { 2 << 30 } else { 8 << 30 };

/// Bytes that the host may allocate. Programs allocate much and touch little, and untouched pages cost
/// nothing, except where addresses have 32 bits.
const HOST_MEMORY: u64 = if cfg!(target_pointer_width = "32") { 2 << 30 } else { 4 << 30 };

/// A program, ready to run. Threads may share it.
#[derive(Debug)]
pub struct Program {
    /// Its kernels and `__device__` variables.
    pub module: Module,
    code: bytecode::Code,
}

/// The operating system of a program: output, input, files and a clock. The caller implements it,
/// because this crate does no I/O.
pub trait Os {
    /// Output: to 1 (standard output) or 2 (standard error).
    fn write(&mut self, stream: i32, bytes: &[u8]);
    /// Nanoseconds since 1970.
    fn now_ns(&mut self) -> i64;
    /// The next line of standard input with its end; empty at the end of the input.
    fn read_line(&mut self) -> Vec<u8>;
    /// A file's bytes.
    fn open(&mut self, path: &str) -> Opened;
    /// Writes a file. Returns whether that was possible.
    fn save(&mut self, path: &str, bytes: &[u8]) -> bool;
    /// What lies at a path.
    fn find(&mut self, path: &str) -> Found {
        match self.open(path) {
            Opened::Contents(bytes) => Found::File(bytes.len() as u64),
            _ => Found::Nothing,
        }
    }
    /// The names in a folder; `None` if there is no such folder.
    fn names(&mut self, _folder: &str) -> Option<Vec<String>> {
        None
    }
    /// Makes, removes or renames; what Linux calls the error, 0 for none.
    fn change(&mut self, _change: Change<'_>) -> i32 {
        NOT_PERMITTED
    }
    /// The folder that paths without a `/` at their begin are in.
    fn folder(&mut self) -> String {
        "/".to_owned()
    }
    /// A finding, as text for a terminal: at once if it is in host code, else as its launch ends. All of
    /// them are in [`Report::findings`], too.
    fn found(&mut self, _finding: &Told<'_>) {}
}

/// A finding, as the caller is told of it.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// How bad it is.
    pub severity: Severity,
    /// `shared-race`, `out-of-bounds`, ...
    pub code: &'static str,
    /// Where it is.
    pub span: Span,
    /// The other place, if it has one.
    pub other: Option<Span>,
    /// The texts that these are places in.
    pub sources: &'a Sources,
    /// As a terminal shows it.
    pub text: &'a str,
}

/// What lies at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// Nothing that the program may know of.
    Nothing,
    /// A folder.
    Folder,
    /// A file, and its bytes.
    File(u64),
}

/// A change of the folders that a program asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change<'a> {
    /// A new folder, in one that is there.
    Make(&'a str),
    /// A file or an empty folder goes.
    Remove(&'a str),
    /// The first path becomes the second.
    Rename(&'a str, &'a str),
}

/// `EACCES`.
const NOT_PERMITTED: i32 = 13;

/// What came of opening a file to read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opened {
    /// Its bytes.
    Contents(Vec<u8>),
    /// There is no such file, or it may not be read.
    Missing,
    /// The caller does not read such a file: why. The program sees that it cannot be opened, and its
    /// user is told the reason.
    Refused(String),
}

/// Bytes of all files that a program has open at once.
pub const FILE_BYTES: u64 = 1 << 30;

/// The result of a run.
#[derive(Debug)]
pub struct Report {
    /// The exit code, as a shell shows it: 134 after `abort`, 136 after a division by zero, 139 after a
    /// segmentation fault.
    pub code: i32,
    /// The texts that findings are in: the program's, and those that it compiled while it ran.
    pub sources: Sources,
    /// Whether it was asked to stop ([`simt::Interrupt`]) and did.
    pub interrupted: bool,
    /// The launches that started, in order: the first thousand, and of the later ones those with a new
    /// finding. So a program may launch for ever.
    pub launches: Vec<Launched>,
    /// How many launches started.
    pub launched: u64,
    /// The counters of all launches together.
    pub counters: Counters,
    /// Findings in host code, each once.
    pub diagnostics: Vec<Diagnostic>,
    /// Findings in kernels, each once: of [`Self::launches`] a finding may be in several.
    pub in_kernels: Vec<simt::Finding>,
    /// Every finding once, of host code and of launches, as text for a terminal and in the order in
    /// which they were found.
    pub findings: Vec<(Severity, String)>,
    /// How often a finding was found again.
    pub repeated: u64,
    /// Arrays of the device, and pinned and managed ones, that were never freed: for those who ask.
    pub leaks: Vec<Diagnostic>,
}

/// A launch.
#[derive(Debug)]
pub struct Launched {
    /// The kernel's name.
    pub kernel: String,
    /// Its blocks, and the threads of each.
    pub shape: [Dim3; 2],
    /// Where it was launched.
    pub span: Span,
    /// Whether it was not run: an earlier launch was the same, on the same contents of memory, and
    /// its results were copied.
    pub cached: bool,
    /// Its counters and findings; what it printed is in the program's output.
    pub report: KernelReport,
}

/// Reads what a program includes, where `files` finds it ([`simt::load`]).
pub fn load(unit: Sources, files: &mut dyn simt::Files) -> Sources {
    simt::load(unit, Some(&ENVIRONMENT), files)
}

/// Compiles a program: every kernel, and `main` with all that it calls. The first file is the
/// translation unit; the others are what it may `#include`, by name.
///
/// # Errors
/// Every diagnostic, in source order, if any of them is an error. Never panics on any text.
pub fn compile(sources: Sources) -> Result<Program, Failure> {
    #[cfg_attr(target_arch = "wasm32", expect(unused_mut, reason = "nothing is optimised there"))]
    let mut program = lowered(sources)?;
    #[cfg(not(target_arch = "wasm32"))]
    {
        optimise::optimise(&mut program.code.functions);
        specialised::specialise(&mut program.code.functions);
        strips::find(&mut program.code.functions);
    }
    Ok(program)
}

/// The program as lowering leaves it, before the optimiser.
fn lowered(sources: Sources) -> Result<Program, Failure> {
    let CheckedProgram { mut module, tree, types } = simt::compile_program(sources, &ENVIRONMENT)?;
    match lower::lower(&tree, &types, &module.sources, &mut module.diagnostics) {
        Some(code) => Ok(Program { module, code }),
        None => Err(Failure { sources: module.sources, diagnostics: module.diagnostics }),
    }
}

/// The image of a module, which `cuModuleLoad` takes: the translation unit, as [`load`] read it, with a
/// `main` that does nothing.
#[cfg(not(target_arch = "wasm32"))]
pub fn module_image(unit: &Sources) -> String {
    runtime::module_image(unit)
}

/// Runs a program to its end. `args` begins with the program's name.
pub fn run(program: &Program, args: &[String], config: &Config, os: &mut dyn Os) -> Report {
    let arena = runtime::Arena::default();
    let mut interpreter = interpreter::Interpreter::new(program, config, os, &arena);
    let code = interpreter.run(args);
    interpreter.finish();
    interpreter.into_report(code)
}

/// When work on streams runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamOrder {
    /// As it is issued. Then missing waits are found.
    AtOnce,
    /// As late as it may, and independent work in an order that this seed draws. Then a missing wait
    /// shows in the results only.
    Deferred(u64),
}

/// Runs a program to its end, its streams in this order, and records what it issues to them.
pub fn run_streams(
    program: &Program,
    args: &[String],
    config: &Config,
    order: StreamOrder,
    os: &mut dyn Os,
) -> (Report, Timeline) {
    let arena = runtime::Arena::default();
    let mut interpreter = interpreter::Interpreter::new(program, config, os, &arena);
    interpreter.runtime.record_streams(order);
    let code = interpreter.run(args);
    interpreter.finish();
    let timeline = interpreter.runtime.deferred.take().unwrap_or_default().timeline;
    (interpreter.into_report(code), timeline)
}

/// One block of one launch of a program, to be recorded.
#[derive(Debug, Clone, Copy)]
pub struct Recording {
    /// The launch's number among those that start, from 0.
    pub launch: u64,
    /// The block, and how much of it.
    pub block: Record,
}

/// Runs the program up to a launch and records it ([`simt::History`]). The report's last launch is the
/// recorded one, unless the program ended before. Other launches are run without checks.
pub fn record(
    program: &Program,
    args: &[String],
    config: &Config,
    recording: Recording,
    os: &mut dyn Os,
) -> Report {
    let config = Config { checks: simt::Checks::Bare, ..config.clone() };
    let arena = runtime::Arena::default();
    let mut interpreter = interpreter::Interpreter::new(program, &config, os, &arena);
    interpreter.recording = Some(recording);
    let code = interpreter.run(args);
    interpreter.finish();
    interpreter.into_report(code)
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
