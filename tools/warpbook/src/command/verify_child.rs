//! `warpbook verify-child`: a process in which `serve`, `build` and `check` verify ([`verify::worker`]).
//! It is hidden from the list of commands: only they start it.

use crate::Outcome;
use crate::command::Root;
use anyhow::{Context, Result};
use std::io::{BufRead, Write};
use std::sync::{Arc, mpsc};
use verify::worker::{self, Workers};
use verify::{Project, Verifier};

/// The subcommand's name.
pub(crate) const NAME: &str = "verify-child";

/// Verify what is asked on the standard input, for `serve`
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {}

/// Children for a project.
///
/// # Errors
/// If this program does not know where it is.
pub(super) fn workers(project: &Project) -> Result<Arc<Workers>> {
    let program = std::env::current_exe().context("finding this program")?;
    let arguments = vec!["--root".into(), project.root.clone().into(), NAME.into()];
    Ok(Arc::new(Workers::new(program, arguments)))
}

pub(super) fn execute(_: &Arguments, root: &Root) -> Result<Outcome> {
    limit_memory()?;
    let verifier = Verifier::in_child(&root.folder()?)?;
    let (send, requests) = mpsc::channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
        // The parent is gone: nothing reads the result of the running task.
        std::process::exit(0);
    });
    for line in requests {
        let answer = worker::answer(&verifier, &line)?;
        writeln!(std::io::stdout(), "{answer}").context("answering")?;
    }
    Ok(Outcome::Kept)
}

/// An allocation beyond it ends this process, and it leaves no core file.
#[cfg(unix)]
fn limit_memory() -> Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let hard = getrlimit(Resource::As).maximum.unwrap_or(u64::MAX);
    let most = Some(hard.min(worker::MEMORY));
    setrlimit(Resource::As, Rlimit { current: most, maximum: most }).context("limiting memory")?;
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    setrlimit(Resource::Core, none).context("switching core files off")
}

/// This system has no such limit.
#[cfg(not(unix))]
fn limit_memory() -> Result<()> {
    Ok(())
}
