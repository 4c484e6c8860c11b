//! The command of the book.
//!
//! Each subcommand is a file in [`command`] with a struct `Arguments` and a function `execute`. Shared
//! parts: building the site ([`site`]), checking its links ([`links`]), serving it ([`server`]) and the
//! GPU endpoint ([`gpu`]), the WebAssembly module of the pages ([`module`]), and printing ([`report`]).
//!
//! Exit codes: 0: success; 1: a promise of the book is broken; 2: the command could not run (a wrong
//! argument, no project, the port is taken). `run` of a complete program exits with the program's
//! code.

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

use clap::Parser;
use command::CommandLine;
use std::process::ExitCode;

/// The result of a command that could run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// All promises are kept.
    Kept,
    /// At least one is broken; the problems have been printed.
    Broken,
    /// The exit code of a program that was run.
    Code(u8),
}

fn main() -> ExitCode {
    complaint::report_panics();
    log::install();
    match CommandLine::parse().execute() {
        Ok(Outcome::Kept) => ExitCode::SUCCESS,
        Ok(Outcome::Broken) => ExitCode::from(1),
        Ok(Outcome::Code(code)) => ExitCode::from(code),
        Err(error) => {
            complaint::print(&error);
            ExitCode::from(2)
        }
    }
}
