//! CUDA C++ programs and kernel files on the simulator, from a command line.
//!
//! The command `cuda-sim` is this library and a table of subcommands; the book's command, `warpbook`,
//! calls the same code.
//!
//! ```text
//! run        one program or kernel file, or several     nvcc: options of nvcc that it accepts
//! check      everything in folders, with one verdict    compare with a baseline, suppress
//! step       a debugger of one block
//! compare    the counters and findings of two runs      lines: counters by source line
//! new        writes a file to begin with
//! driver     in place of nvcc: objects and executables, for builds that call it
//! program    loads and runs a program with `main`
//! targets    what files and folders hold: programs of one or several sources
//! finding    what was found, with its place, as data
//! format     findings for machines: JSON, SARIF, JUnit, GitHub
//! report, progress, complaint     what a terminal shows
//! ```
//!
//! # Exit codes
//!
//! | code | meaning |
//! | --- | --- |
//! | 0 | nothing is wrong |
//! | 1 | `check`: an error was found, or a program failed or did not end within `--time-limit` (`--error-exitcode` chooses another code); `run`: a kernel file fails, or a text does not compile; `step`: a command of a script was wrong |
//! | 2 | the command could not run: a wrong argument, a file that cannot be read |
//! | 124 | `run`: a program was stopped at the end of `--time-limit` |
//! | 130, 143 | it was stopped by SIGINT, by SIGTERM |
//! | 141 | nobody reads its output |
//! | 127 | an executable's simulator is gone |
//!
//! Otherwise `run` of a program ends with the program's own code; with `--error-exitcode` with that
//! one if an error was found.

#![forbid(unsafe_code)]

pub(crate) mod baseline;
pub mod check;
pub mod compare;
pub mod complaint;
pub mod driver;
pub mod finding;
pub mod format;
pub mod kernels;
pub mod lines;
pub mod new;
pub mod nvcc;
pub mod program;
pub mod progress;
pub mod report;
pub mod results;
pub mod run;
pub mod step;
mod suppression;
mod targets;

/// The result of a command that could run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All promises are kept.
    Kept,
    /// At least one is broken; the problems have been printed.
    Broken,
    /// The exit code of a program that was run.
    Code(u8),
}

impl From<Outcome> for std::process::ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Kept => Self::SUCCESS,
            Outcome::Broken => Self::from(1),
            Outcome::Code(code) => Self::from(code),
        }
    }
}
