//! The command line: the subcommands and their dispatch.

mod build;
mod check;
mod doctor;
mod exercise;
mod gpu_child;
mod import;
mod lab;
mod new;
mod preprocess;
mod record;
mod run;
mod serve;
mod verify_child;

use crate::Outcome;
use crate::complaint::Complaint;
use anyhow::Result;
use clap::{Parser, Subcommand};
use std::path::{Path, PathBuf};
use verify::Project;
use verify::project::absolute;

/// Warp by Warp: a CUDA textbook whose kernels run on a GPU or on a simulator
#[derive(Debug, Parser)]
#[command(name = "warpbook", version)]
#[command(after_help = "Without a subcommand, the book is built, verified and served.")]
#[command(disable_help_subcommand = true)]
pub(crate) struct CommandLine {
    #[command(flatten)]
    serve: serve::Arguments,
    #[command(flatten)]
    root: Root,
    #[command(subcommand)]
    subcommand: Option<Subcommands>,
}

#[derive(Debug, Subcommand)]
enum Subcommands {
    Serve(serve::Arguments),
    Build(build::Arguments),
    Check(check::Arguments),
    Run(Box<run::Arguments>),
    Exercise(exercise::Arguments),
    Record(record::Arguments),
    Import(import::Arguments),
    Lab(lab::Arguments),
    New(new::Arguments),
    Doctor(doctor::Arguments),
    Preprocess(preprocess::Arguments),
    #[command(name = gpu_child::NAME, hide = true)]
    GpuChild(gpu_child::Arguments),
    #[command(name = verify_child::NAME, hide = true)]
    VerifyChild(verify_child::Arguments),
}

/// The option that every subcommand takes.
#[derive(Debug, clap::Args)]
struct Root {
    /// The project [default: found from the current folder upwards]
    #[arg(long, value_name = "FOLDER", global = true)]
    root: Option<PathBuf>,
}

impl Root {
    /// The project that `--root` names, or that contains the current folder.
    fn project(&self) -> Result<Project> {
        Project::find(self.root.as_deref().unwrap_or(Path::new(".")))
    }

    /// The folder that `--root` names, whether it holds a book or not.
    fn folder(&self) -> Result<Project> {
        let folder = self.root.as_deref().unwrap_or(Path::new("."));
        Ok(Project { root: absolute(folder)? })
    }
}

impl CommandLine {
    /// Runs the subcommand.
    pub(crate) fn execute(self) -> Result<Outcome> {
        let CommandLine { serve, root, subcommand } = self;
        let Some(subcommand) = subcommand else { return serve::execute(&serve, &root) };
        if let Some(option) = serve.first_given() {
            return Err(Complaint::error(
                format!("`{option}` before a subcommand has no effect"),
                "put it after `serve`, or leave out the subcommand",
            ));
        }
        match subcommand {
            Subcommands::Serve(arguments) => serve::execute(&arguments, &root),
            Subcommands::Build(arguments) => build::execute(&arguments, &root),
            Subcommands::Check(arguments) => check::execute(&arguments, &root),
            Subcommands::Run(arguments) => run::execute(&arguments),
            Subcommands::Exercise(arguments) => exercise::execute(&arguments, &root),
            Subcommands::Record(arguments) => record::execute(&arguments, &root),
            Subcommands::Import(arguments) => import::execute(&arguments, &root),
            Subcommands::Lab(arguments) => lab::execute(&arguments, &root),
            Subcommands::New(arguments) => new::execute(&arguments, &root),
            Subcommands::Doctor(arguments) => doctor::execute(&arguments, &root),
            Subcommands::Preprocess(arguments) => preprocess::execute(&arguments),
            Subcommands::GpuChild(arguments) => gpu_child::execute(&arguments, &root),
            Subcommands::VerifyChild(arguments) => verify_child::execute(&arguments, &root),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// Conflicting or duplicate definitions of arguments panic here and not at a reader.
    #[test]
    fn the_command_line_is_well_formed() {
        CommandLine::command().debug_assert();
    }
}
