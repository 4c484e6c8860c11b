//! The command of the book.
//!
//! Each subcommand is a file in [`command`] with a struct `Arguments` and a function `execute`. Shared
//! parts: building the site ([`site`]) in its place ([`place`]), checking its links ([`links`]), serving it ([`server`]) and the
//! GPU endpoint ([`gpu`]), the WebAssembly module of the pages ([`module`]). What needs no book is in [`cuda_sim`]: running
//! files, printing, and the exit codes. Here 1 also means that a promise of the book is broken.

#![forbid(unsafe_code)]

mod background;
mod command;
mod gpu;
mod lab_files;
mod links;
mod log;
mod module;
mod place;
mod server;
mod site;
mod watch;

use clap::{CommandFactory, Parser};
use command::CommandLine;
use cuda_sim::format::helpful;
use cuda_sim::{Outcome, complaint, nvcc, progress, report};
use std::process::ExitCode;

fn main() -> ExitCode {
    complaint::report_panics("warpbook");
    log::install();
    let parsed = CommandLine::try_parse_from(nvcc::rewritten(std::env::args_os()));
    match parsed.unwrap_or_else(|error| helpful(error, &CommandLine::command()).exit()).execute() {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            complaint::print(&error);
            ExitCode::from(2)
        }
    }
}
