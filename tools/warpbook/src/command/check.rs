//! `warpbook check`: does everything in the book keep its promise?
//!
//! What the promises are is [`verify::check`]'s business; here they are run and printed. What is
//! skipped is printed with its reason, so that nothing is left out in silence.

use crate::Outcome;
use crate::command::Root;
use crate::progress::{Progress, say};
use crate::report;
use anyhow::Result;
use mdbook_cuda::directive_problems;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Instant;
use verify::backend::required;
use verify::check::{self, Item};
use verify::parallel::for_each_in_order;
use verify::{Availability, BackendName, Status, Verifier};

/// Run every promise in the book and print the verdicts
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A kernel file, a page, or a folder of them [default: the whole book]
    path: Option<PathBuf>,
}

pub(super) fn execute(arguments: &Arguments, root: &Root) -> Result<Outcome> {
    let project = root.project()?;
    let path = arguments.path.as_ref().unwrap_or(&project.root);
    let tasks = check::tasks(&project, path)?;
    let verifier = Verifier::open(&project)?;
    let started = Instant::now();
    let kept_back_ends = report_back_ends(&verifier);

    let mut progress = Progress::new();
    let mut shown = Shown::default();
    for_each_in_order(
        &tasks,
        |task| {
            let mut item = task.run(&verifier);
            if task.is_page() {
                item.problems.extend(directive_problems(&project, &verifier, &task.path));
                if !item.problems.is_empty() {
                    item.status = Status::Failed;
                }
            }
            item
        },
        |done, item| {
            progress.clear();
            shown.print(&item, &verifier);
            if let Some(next) = tasks.get(done + 1) {
                progress.transient(&format!("{} of {}: {}", done + 2, tasks.len(), next.name));
            }
        },
    );
    progress.clear();
    if let Some(item) = check::ignored(&project, &tasks) {
        shown.print(&item, &verifier);
    }
    let Shown { kept, skipped, broken, .. } = shown;
    let seconds = started.elapsed().as_secs_f64();
    say!("\nPromises kept: {kept}, skipped: {skipped}, broken: {broken} ({seconds:.1} s).");
    Ok(if broken == 0 && kept_back_ends { Outcome::Kept } else { Outcome::Broken })
}

/// What was printed so far.
#[derive(Default)]
struct Shown {
    /// The file whose promises are being printed.
    file: String,
    /// What was said to be wrong with it: several promises may fail for one cause.
    said: BTreeSet<String>,
    kept: usize,
    skipped: usize,
    broken: usize,
}

impl Shown {
    fn print(&mut self, item: &Item, verifier: &Verifier) {
        match item.status {
            Status::Passed => self.kept += 1,
            Status::Failed => self.broken += 1,
            Status::Skipped => self.skipped += 1,
        }
        // Said once for all, at the start.
        let is_absence = |b| verifier.absence(b) == Some(item.reason.as_str());
        if item.status == Status::Skipped && BackendName::ALL.into_iter().any(is_absence) {
            return;
        }
        if self.file != item.file {
            say!("{}", item.file);
            self.file = item.file.clone();
            self.said.clear();
        }
        // `sim/1_neighbored` is about the file that was just named; `sim/README.md:12` tells a line.
        let (what, which) = item.name.split_once('/').unwrap_or((&item.name, ""));
        let what = match which.split_once(':') {
            Some((_, line)) => format!("{what}, line {line}"),
            None => what.to_string(),
        };
        let detail = item.verdict.as_ref().map_or(item.reason.clone(), report::detail);
        report::line(&what, item.status, &detail);
        if let Some(verdict) = &item.verdict {
            report::problems(verdict.warnings.iter());
        }
        if item.status == Status::Failed {
            let new = item.problems.iter().filter(|p| self.said.insert(p.rendered.clone()));
            report::problems(new);
        }
    }
}

/// Says once what is here and what is not; false if `WARPBOOK_REQUIRE` forbids an absence.
fn report_back_ends(verifier: &Verifier) -> bool {
    let mut kept = true;
    for backend in BackendName::ALL {
        match verifier.availability(backend) {
            Availability::Present { identity } => say!("{:<6} {identity}", backend.word()),
            Availability::Absent { reason, remedy } => {
                let required = required(backend);
                let what = if required { "required, but" } else { "skipped:" };
                say!("{:<6} {what} {reason} (to get it: {remedy})", backend.word());
                kept &= !required;
            }
        }
    }
    say!("");
    kept
}
