//! The subcommands, and which of them a command line means.

mod build;
mod check;
mod doctor;
mod gpu_child;
mod import;
mod lab;
mod preprocess;
mod program;
mod record;
mod run;
mod serve;

use crate::Outcome;
use crate::complaint::Complaint;
use anyhow::Result;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, value_parser};
use std::path::{Path, PathBuf};
use verify::Project;

/// Everything that may be typed after `warpbook`.
pub(crate) fn command_line() -> Command {
    Command::new("warpbook")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Warp by Warp: a CUDA textbook whose kernels run, here too")
        .after_help("Without a subcommand, the book is built, verified and served.")
        .args(serve::options())
        .arg(
            Arg::new("root")
                .long("root")
                .value_name("FOLDER")
                .value_parser(value_parser!(PathBuf))
                .global(true)
                .help("The project [default: found from the current folder upwards]"),
        )
        .subcommands([
            serve::arguments(),
            build::arguments(),
            check::arguments(),
            run::arguments(),
            record::arguments(),
            import::arguments(),
            lab::arguments(),
            doctor::arguments(),
            preprocess::arguments(),
            gpu_child::arguments(),
        ])
}

/// Does what the command line says.
pub(crate) fn dispatch(matches: &ArgMatches) -> Result<Outcome> {
    refuse_misplaced(matches)?;
    match matches.subcommand() {
        None => serve::execute(matches),
        Some(("serve", matches)) => serve::execute(matches),
        Some(("build", matches)) => build::execute(matches),
        Some(("check", matches)) => check::execute(matches),
        Some(("run", matches)) => run::execute(matches),
        Some(("record", matches)) => record::execute(matches),
        Some(("import", matches)) => import::execute(matches),
        Some(("lab", matches)) => lab::execute(matches),
        Some(("doctor", matches)) => doctor::execute(matches),
        Some(("preprocess", matches)) => preprocess::execute(matches),
        Some((gpu_child::NAME, matches)) => gpu_child::execute(matches),
        Some((name, _)) => unreachable!("clap accepted the unknown subcommand {name}"),
    }
}

/// An option of `serve` before another subcommand would do nothing, and nobody would know.
fn refuse_misplaced(matches: &ArgMatches) -> Result<()> {
    let Some((name, _)) = matches.subcommand() else { return Ok(()) };
    let given = |option: &Arg| {
        matches.value_source(option.get_id().as_str()) == Some(ValueSource::CommandLine)
    };
    match serve::options().iter().find(|option| given(option)) {
        None => Ok(()),
        Some(option) => Err(Complaint::error(
            format!("`--{}` before `{name}` has no effect", option.get_id()),
            "options of `serve` stand behind it, or alone",
        )),
    }
}

/// The project that `--root` names, or that the current folder is in.
fn project(matches: &ArgMatches) -> Result<Project> {
    match matches.get_one::<PathBuf>("root") {
        Some(root) => Project::find(root),
        None => Project::find(Path::new(".")),
    }
}
