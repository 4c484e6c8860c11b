//! `warpbook check`: does everything in the book keep its promise?
//!
//! Every kernel file at all its test sizes, on every back end that is present. What is skipped is
//! printed with its reason, so that nothing is left out in silence.

use crate::Outcome;
use crate::complaint::Complaint;
use crate::parallel::in_parallel;
use crate::progress::{Progress, say};
use crate::report;
use anyhow::Result;
use clap::{Arg, ArgMatches, Command, value_parser};
use std::path::{Path, PathBuf};
use std::time::Instant;
use verify::{Availability, BackendName, Project, Sizes, Status, Verdict, Verifier};

pub(super) fn arguments() -> Command {
    Command::new("check").about("Run every promise in the book and print the verdicts").arg(
        Arg::new("path")
            .value_name("PATH")
            .value_parser(value_parser!(PathBuf))
            .help("A kernel file, or a folder with some [default: the whole book]"),
    )
}

pub(super) fn execute(matches: &ArgMatches) -> Result<Outcome> {
    let project = super::project(matches)?;
    let files = files(&project, matches.get_one::<PathBuf>("path").map(PathBuf::as_path))?;
    let verifier = Verifier::open(&project)?;
    let started = Instant::now();
    let mut outcome = report_back_ends(&verifier);

    let mut progress = Progress::new();
    let total = files.len();
    let mut broken = 0;
    in_parallel(
        &files,
        |file| BackendName::ALL.map(|backend| verifier.verify(file, backend, Sizes::Tests)),
        |done, verdicts: [Verdict; 3]| {
            progress.clear();
            say!("{}", project.relative(&files[done]));
            for verdict in &verdicts {
                if !is_absent(&verifier, verdict.backend) {
                    report::verdict(verdict);
                }
            }
            broken += usize::from(verdicts.iter().any(|v| v.status == Status::Failed));
            if let Some(next) = files.get(done + 1) {
                progress.transient(&format!("{} of {total}: {}", done + 2, project.relative(next)));
            }
        },
    );
    progress.clear();
    let seconds = started.elapsed().as_secs_f64();
    if broken > 0 {
        say!("\n{broken} of {total} kernels break their promise ({seconds:.1} s).");
        outcome = Outcome::Broken;
    } else {
        say!("\nAll {total} kernels keep their promises ({seconds:.1} s).");
    }
    Ok(outcome)
}

/// The kernel files that a path means: itself, or those of the chapters in it.
fn files(project: &Project, path: Option<&Path>) -> Result<Vec<PathBuf>> {
    let all = project.kernel_files()?;
    let Some(path) = path else { return Ok(all) };
    let absolute = std::path::absolute(path)?;
    if absolute.is_file() && absolute.extension().is_some_and(|end| end == "cu") {
        return Ok(vec![absolute]);
    }
    if !absolute.exists() {
        return Err(Complaint::error(
            format!("`{}` does not exist", path.display()),
            "name a kernel file or a folder; without a path the whole book is checked",
        ));
    }
    let folder = if absolute.is_dir() { absolute.as_path() } else { parent(&absolute) };
    let files: Vec<PathBuf> = all.into_iter().filter(|file| file.starts_with(folder)).collect();
    if files.is_empty() {
        return Err(Complaint::error(
            format!("no kernel file belongs to `{}`", path.display()),
            "kernel files are in `chapters/ch*/kernels/`; to run one from elsewhere: `warpbook run FILE.cu`",
        ));
    }
    Ok(files)
}

/// A page stands for its folder.
fn parent(page: &Path) -> &Path {
    page.parent().unwrap_or(page)
}

/// Says once what is absent. An absence that `WARPBOOK_REQUIRE` forbids breaks a promise.
fn report_back_ends(verifier: &Verifier) -> Outcome {
    let required = std::env::var("WARPBOOK_REQUIRE").unwrap_or_default();
    let mut outcome = Outcome::Kept;
    for backend in BackendName::ALL {
        match verifier.availability(backend) {
            Availability::Present { identity } => say!("{:<6} {identity}", backend.word()),
            Availability::Absent { reason, remedy } => {
                let required = required.split(',').any(|name| name.trim() == backend.word());
                let what = if required { "REQUIRED, but" } else { "skipped:" };
                say!("{:<6} {what} {reason} (to get it: {remedy})", backend.word());
                if required {
                    outcome = Outcome::Broken;
                }
            }
        }
    }
    say!("");
    outcome
}

fn is_absent(verifier: &Verifier, backend: BackendName) -> bool {
    matches!(verifier.availability(backend), Availability::Absent { .. })
}
