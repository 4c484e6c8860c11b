//! The one command of the book.
//!
//! Each subcommand is a file in [`command`] with the same two functions: `arguments` says what it
//! takes, `execute` does it. What several of them need stands beside: building the site ([`site`]),
//! checking its links ([`links`]), serving it ([`server`]) and the GPU behind it ([`gpu`]), the module in its pages ([`module`]), and
//! printing what was found ([`report`]).
//!
//! Exit codes: 0, all is well; 1, something in the book does not keep its promise; 2, the command
//! could not do its work (a wrong argument, no project here, the port is taken). `run` of a complete
//! program ends with the program's own.

#![forbid(unsafe_code)]

mod background;
mod command;
mod complaint;
mod gpu;
mod lab_files;
mod links;
mod log;
mod module;
mod progress;
mod report;
mod server;
mod site;
mod watch;

use std::process::ExitCode;

/// How a command ended that could do its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// All promises are kept.
    Kept,
    /// At least one is broken. What and where has been printed.
    Broken,
    /// A program was run, and this is its exit code.
    Code(u8),
}

fn main() -> ExitCode {
    complaint::report_panics();
    log::install();
    let matches = command::command_line().get_matches();
    match command::dispatch(&matches) {
        Ok(Outcome::Kept) => ExitCode::SUCCESS,
        Ok(Outcome::Broken) => ExitCode::from(1),
        Ok(Outcome::Code(code)) => ExitCode::from(code),
        Err(error) => {
            complaint::print(&error);
            ExitCode::from(2)
        }
    }
}
