//! The command `cuda-sim`: the table of its subcommands. [`cuda_sim`] has the exit codes.

#![forbid(unsafe_code)]

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};
use cuda_sim::format::helpful;
use cuda_sim::kernels::Simulated;
use cuda_sim::{Outcome, check, compare, complaint, driver, new, nvcc, run, step};
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

/// Run and check CUDA programs on a simulator, without a GPU
#[derive(Debug, Parser)]
#[command(name = "cuda-sim", version)]
#[command(after_help = EXAMPLES)]
struct CommandLine {
    #[command(subcommand)]
    subcommand: Subcommands,
}

/// Where to begin.
const EXAMPLES: &str = "\
Examples:
  cuda-sim new program first.cu    write a program to begin with
  cuda-sim run first.cu            run it, and print what is found
  cuda-sim run first.cu -- 1000    the same, with its own argument 1000
  cuda-sim check                   check all kernel files and programs in this folder
  cuda-sim step first.cu           step through a block of its first launch";

/// What a build writes.
const IN_A_BUILD: &str = "\
It takes nvcc's command line and writes objects, libraries and programs, which run on the simulator:
  make NVCC=\"cuda-sim nvcc\"
  cuda-sim nvcc -o first first.cu && ./first
  cmake -B build -DCMAKE_CUDA_COMPILER=cuda-sim-nvcc
`-v` names the options that have no effect here; tools/cuda-sim/README.md lists them all.";

/// When a build needs it.
const FOR_THE_HOST: &str = "\
For a program of CUDA and C++ files that a build compiles apart:
  make NVCC=\"cuda-sim nvcc\" CXX=\"cuda-sim launch g++\"
  cmake -B build -DCMAKE_CUDA_COMPILER=cuda-sim-nvcc \\
        -DCMAKE_CXX_COMPILER_LAUNCHER=\"cuda-sim;launch\" -DCMAKE_CXX_LINKER_LAUNCHER=\"cuda-sim;launch\"";

#[derive(Debug, Subcommand)]
enum Subcommands {
    Run(run::Arguments),
    Check(check::Arguments),
    Step(step::Arguments),
    Compare(compare::Arguments),
    New(new::Arguments),
    /// Stand in for nvcc, in a build: make NVCC="cuda-sim nvcc"
    #[command(name = driver::NAME, after_help = IN_A_BUILD)]
    Nvcc {
        /// nvcc's options and files
        words: Vec<OsString>,
    },
    /// Compile and link C++ for the simulator, before the host's compiler: CXX="cuda-sim launch g++"
    #[command(name = driver::LAUNCH, after_help = FOR_THE_HOST)]
    Launch {
        /// The compiler, and its options and files
        words: Vec<OsString>,
    },
}

fn main() -> ExitCode {
    complaint::report_panics("cuda-sim");
    match execute(std::env::args_os().collect()) {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            complaint::print(&error);
            ExitCode::from(2)
        }
    }
}

fn execute(words: Vec<OsString>) -> Result<Outcome> {
    // What was linked runs, though this command's file may be called nvcc. A program's own options are
    // no options of this command.
    if let [_, subcommand, executable, arguments @ ..] = words.as_slice()
        && subcommand == driver::LINKED
    {
        return driver::run(Path::new(executable), arguments);
    }
    // Those of nvcc are none either, `--version` among them.
    if let Some(words) = driver::words(&words).filter(|words| !asks_for_help(words)) {
        return driver::execute(words);
    }
    if let [_, subcommand, words @ ..] = words.as_slice()
        && subcommand == driver::LAUNCH
        && !asks_for_help(words)
    {
        return driver::launch(words);
    }
    if let [_, file, ..] = words.as_slice()
        && driver::is_source(Path::new(file))
    {
        let file = file.display();
        let help = format!("cuda-sim run {file}, or check, step");
        return Err(complaint::Complaint::error(
            format!("what shall be done with `{file}`?"),
            help,
        ));
    }
    let parsed = CommandLine::try_parse_from(nvcc::rewritten(words.into_iter()));
    match parsed.unwrap_or_else(|error| helpful(error, &CommandLine::command()).exit()).subcommand {
        Subcommands::Run(arguments) => {
            run::execute(&arguments, &Simulated { include: arguments.include().to_vec() })
        }
        Subcommands::Check(arguments) => check::execute(&arguments),
        Subcommands::Step(arguments) => step::execute(&arguments),
        Subcommands::Compare(arguments) => compare::execute(&arguments),
        Subcommands::New(arguments) => new::execute(&arguments),
        Subcommands::Nvcc { words } => driver::execute(&words),
        Subcommands::Launch { words } => driver::launch(&words),
    }
}

fn asks_for_help(words: &[OsString]) -> bool {
    words.len() == 1 && ["-h", "--help"].iter().any(|help| words[0] == *help)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Conflicting or duplicate definitions of arguments panic here and not at a user.
    #[test]
    fn the_command_line_is_well_formed() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn letters_in_the_wrong_order_are_recognised() {
        let error = CommandLine::try_parse_from(["cuda-sim", "rnu"]).unwrap_err();
        let said = helpful(error, &CommandLine::command()).to_string();
        assert!(said.contains("a similar subcommand exists: 'run'"), "{said}");
    }

    #[test]
    fn a_format_that_is_written_as_an_option_is_named() {
        let said = |option: &str| {
            let words = ["cuda-sim", "check", "a.cu", option];
            helpful(CommandLine::try_parse_from(words).unwrap_err(), &CommandLine::command())
                .to_string()
        };
        let json = said("--json");
        assert!(json.contains("a similar argument exists: '--format json'"), "{json}");
        assert!(!json.contains("-- --json"), "{json}");
        assert!(said("--jsno").contains("unexpected argument '--jsno'"));
        let words = ["cuda-sim", "run", "--frmat", "a.cu"];
        let error = CommandLine::try_parse_from(words).unwrap_err();
        let near = helpful(error, &CommandLine::command()).to_string();
        assert!(near.contains("a similar argument exists: '--format'"), "{near}");
        assert!(!near.contains("-- --frmat"), "{near}");
    }
}
