//! `warpbook check`: does everything in the book keep its promise?
//!
//! Every kernel file at all its test sizes and every `cuda` fence of the pages, on every back end
//! that is present. What is skipped is printed with its reason, so that nothing is left out in
//! silence; a skip that has lost its reason is a broken promise too.

use crate::Outcome;
use crate::complaint::Complaint;
use crate::parallel::in_parallel;
use crate::progress::{Progress, say};
use crate::report;
use anyhow::{Context, Result};
use clap::{Arg, ArgMatches, Command, value_parser};
use std::path::{Path, PathBuf};
use std::time::Instant;
use verify::fence::{self, Fence, Promise};
use verify::{
    Availability, BackendName, KernelFile, Problem, Project, Sizes, Status, Verdict, Verifier,
};
use walkdir::WalkDir;

pub(super) fn arguments() -> Command {
    Command::new("check").about("Run every promise in the book and print the verdicts").arg(
        Arg::new("path")
            .value_name("PATH")
            .value_parser(value_parser!(PathBuf))
            .help("A kernel file, a page, or a folder with some [default: the whole book]"),
    )
}

/// Something that makes a promise.
enum Item {
    Kernel(PathBuf),
    Fence(Fence),
}

/// What was found out about it.
struct Found {
    verdicts: Vec<Verdict>,
    /// Back ends that the file skips, and that it passes on all the same.
    expired: Vec<BackendName>,
}

pub(super) fn execute(matches: &ArgMatches) -> Result<Outcome> {
    let project = super::project(matches)?;
    let (items, problems) = items(&project, matches.get_one("path").map(PathBuf::as_path))?;
    let verifier = Verifier::open(&project)?;
    let started = Instant::now();
    let mut outcome = report_back_ends(&verifier);

    let mut broken = problems.len();
    report::problems(problems.iter());
    let mut progress = Progress::new();
    in_parallel(
        &items,
        |item| item.check(&verifier),
        |done, found| {
            progress.clear();
            say!("{}", items[done].name(&project));
            broken += usize::from(found.report(&verifier));
            if let Some(next) = items.get(done + 1) {
                let name = next.name(&project);
                progress.transient(&format!("{} of {}: {name}", done + 2, items.len()));
            }
        },
    );
    progress.clear();

    let ignored = items.iter().filter(|item| item.is_ignored()).count();
    if ignored > fence::IGNORED {
        say!("error: {ignored} fences are ignored; a book may have {}", fence::IGNORED);
        broken += 1;
    }
    let total = items.len();
    let seconds = started.elapsed().as_secs_f64();
    if broken > 0 {
        say!("\n{broken} of {total} promises are broken ({seconds:.1} s).");
        outcome = Outcome::Broken;
    } else {
        say!("\nAll {total} promises are kept ({seconds:.1} s).");
    }
    Ok(outcome)
}

impl Item {
    fn name(&self, project: &Project) -> String {
        match self {
            Item::Kernel(path) => project.relative(path),
            Item::Fence(fence) => fence.name(),
        }
    }

    fn is_ignored(&self) -> bool {
        matches!(self, Item::Fence(Fence { promise: Promise::Ignore(_), .. }))
    }

    fn check(&self, verifier: &Verifier) -> Found {
        let all = BackendName::ALL;
        match self {
            Item::Fence(fence) => Found {
                verdicts: all.map(|backend| verifier.verify_fence(fence, backend)).into(),
                expired: Vec::new(),
            },
            Item::Kernel(path) => match KernelFile::read(verifier.project(), path) {
                Ok(file) => {
                    let skips = file.directives.skips.iter().map(|skip| skip.backend);
                    Found {
                        verdicts: all.map(|b| verifier.verify_file(&file, b, Sizes::Tests)).into(),
                        expired: skips.filter(|b| verifier.passes_after_all(&file, *b)).collect(),
                    }
                }
                Err(problems) => Found {
                    verdicts: vec![Verdict::failed(BackendName::Sim, "", problems)],
                    expired: Vec::new(),
                },
            },
        }
    }
}

impl Found {
    /// Prints it; whether a promise is broken.
    fn report(&self, verifier: &Verifier) -> bool {
        for verdict in &self.verdicts {
            if !is_absent(verifier, verdict.backend) {
                report::verdict(verdict);
            }
        }
        for backend in &self.expired {
            say!("  error: it is skipped on {backend} and passes there; take the `//@ skip` away");
        }
        self.verdicts.iter().any(|v| v.status == Status::Failed) || !self.expired.is_empty()
    }
}

/// Everything that makes a promise at a path (in the whole book where there is none), and what
/// cannot be read in its pages.
fn items(project: &Project, path: Option<&Path>) -> Result<(Vec<Item>, Vec<Problem>)> {
    let place = std::path::absolute(path.unwrap_or(&project.root))?;
    if !place.exists() {
        return Err(Complaint::error(
            format!("`{}` does not exist", place.display()),
            "name a kernel file, a page or a folder; without a path the whole book is checked",
        ));
    }
    let has_end = |path: &Path, wanted| path.extension().is_some_and(|end| end == wanted);
    let mut items = Vec::new();
    let mut problems = Vec::new();
    if has_end(&place, "cu") {
        items.push(Item::Kernel(place.clone()));
    } else {
        let kernels = project.kernel_files()?.into_iter();
        items.extend(kernels.filter(|file| file.starts_with(&place)).map(Item::Kernel));
    }
    for entry in WalkDir::new(project.root.join("chapters")).sort_by_file_name() {
        let page = entry.context("looking for pages")?.into_path();
        if has_end(&page, "md") && page.starts_with(&place) {
            let text = std::fs::read_to_string(&page).with_context(|| project.relative(&page))?;
            let (fences, wrong) = fence::fences(&project.relative(&page), &text);
            items.extend(fences.into_iter().map(Item::Fence));
            problems.extend(wrong);
        }
    }
    if items.is_empty() && problems.is_empty() && path.is_some() {
        say!(
            "`{}` makes no promise: it has no kernel file and no `cuda` fence.",
            project.relative(&place)
        );
    }
    Ok((items, problems))
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
