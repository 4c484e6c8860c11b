//! The command `cuda-sim-lsp`: a language server for kernel files, over standard input and output.
//!
//! ```text
//! server    the messages: what a client asks, and what it is told
//! check     what is wrong with a text: the parser's and the compiler's word
//! place     columns of the project as those of the protocol, addresses as paths
//! ```
//!
//! Texts are those of the editor, saved or not; the headers that they include are read from disk.
//! Nothing is run.

#![forbid(unsafe_code)]

mod check;
mod place;
mod server;

use clap::Parser;
use lsp_server::Connection;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// A language server for kernel files. An editor starts it
#[derive(Debug, Parser)]
#[command(name = "cuda-sim-lsp", version)]
struct Arguments {
    /// Also search this folder for headers
    #[arg(short = 'I', value_name = "FOLDER")]
    include: Vec<PathBuf>,
    /// Nothing else is spoken; some editors say it
    #[arg(long, hide = true)]
    stdio: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let (connection, threads) = Connection::stdio();
    let served = server::serve(connection, arguments.include);
    // A message that was no message ends the thread that reads, and its error is the reason.
    let result = threads.join().map_err(anyhow::Error::from).and(served);
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
