//! `warpbook check`: does everything in the book keep its promise?
//!
//! What the promises are is [`verify::check`]'s business; here they are run and printed. What is
//! skipped is printed with its reason, so that nothing is left out in silence.

use crate::Outcome;
use crate::command::{Root, verify_child};
use crate::complaint;
use crate::progress::{Progress, say};
use crate::report;
use anyhow::Result;
use mdbook_cuda::{boundary, directive_problems, settings};
use mdbook_driver::config::Config;
use simt::observe::bounds::plural;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;
use verify::backend::required;
use verify::check::{self, Item, Task, Unchecked};
use verify::parallel::for_each_in_order;
use verify::project::absolute;
use verify::{Availability, BackendName, Problem, Project, Status, Verifier};

/// Run every promise in the book and print the verdicts
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Kernel files, pages, or folders of them, in a book or anywhere [default: the whole book]
    paths: Vec<PathBuf>,
}

pub(super) fn execute(arguments: &Arguments, root: &Root) -> Result<Outcome> {
    let project = match (root.project(), arguments.paths.first()) {
        (Err(_), Some(path)) => folder_of(path)?,
        (project, _) => project?,
    };
    let whole = [project.root.clone()];
    let paths = if arguments.paths.is_empty() { &whole[..] } else { &arguments.paths };
    let mut tasks = Vec::new();
    for path in paths {
        if !path.exists() {
            return Err(complaint::missing(
                path,
                "name a kernel file, a page, or a folder of them",
            ));
        }
        tasks.extend(check::tasks(&project, path)?);
    }
    let verifier = Verifier::open(&project)?.with_workers(Some(verify_child::workers(&project)?));
    let started = Instant::now();
    let kept_back_ends = report_back_ends(&verifier);

    let is_whole = paths.iter().any(|path| absolute(path).is_ok_and(|path| path == project.root));
    let has_pages = tasks.iter().any(Task::is_page);
    let of_book = if is_whole || has_pages { of_book(&project) } else { Vec::new() };
    let mut progress = Progress::new();
    // Who checks one file of quiz items is writing it.
    let options = paths.iter().any(|path| path.ends_with(verify::quiz::FILE));
    let mut shown = Shown { options, ..Shown::default() };
    for_each_in_order(
        &tasks,
        |task| {
            let mut item = task.run(&verifier);
            if task.is_page() {
                item.problems.extend(directive_problems(&project, &verifier, &task.path));
                let of_page = of_book.iter().filter(|problem| problem.file == item.file);
                item.problems.extend(of_page.cloned());
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
    let files: BTreeSet<String> = tasks.iter().map(|task| project.relative(&task.path)).collect();
    let mut rest = of_book;
    rest.retain(|problem| is_whole && !files.contains(&problem.file));
    if !rest.is_empty() {
        shown.print(&Item::failed("book", "book.toml", rest), &verifier);
    }
    let Shown { kept, skipped, broken, .. } = shown;
    let seconds = started.elapsed().as_secs_f64();
    say!("\n{kept} passed, {skipped} skipped, {broken} failed ({seconds:.1} s).");
    for path in paths {
        say_unchecked(&check::unchecked(&project, path, &tasks), path);
    }
    Ok(if broken == 0 && kept_back_ends { Outcome::Kept } else { Outcome::Broken })
}

/// What would end or spoil a build of the book: files that are not there, paths that lead out of its
/// folder, settings that do nothing.
fn of_book(project: &Project) -> Vec<Problem> {
    let file = project.root.join("book.toml");
    let config = match Config::from_disk(&file) {
        Ok(config) => config,
        Err(error) if file.exists() => {
            let message = format!("`book.toml` is not understood: {error:#}");
            return vec![Problem::new("book.toml", "", (0, 0), settings::CODE, message)];
        }
        // The project is a folder of kernel files and no book.
        Err(_) => return Vec::new(),
    };
    let mut problems = boundary::check(&project.root, &config);
    problems.extend(settings::check(&project.root, &config));
    problems
}

/// Names at the end of a list, at most.
const NAMED: usize = 5;

/// Says which sources of a folder were left out, and what runs them.
fn say_unchecked(Unchecked { programs, others }: &Unchecked, path: &Path) {
    let line = |files: &[String], what: &str, remedy: &str| {
        let mut names = files.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        match files.len() {
            0 => return,
            count if count > NAMED => names += &format!(" and {} more", count - NAMED),
            _ => {}
        }
        say!("Not checked: {} {what}: {names}{remedy}", plural(files.len() as u64, "file"));
    };
    let run = format!(" (`warpbook run {}` runs and checks programs, too)", path.display());
    line(programs, "with a `main` and no `//@` line", &run);
    line(others, "with neither a `main` nor a line `//@ launch`", "");
}

/// The folder of kernel files that are in no book; nothing is kept there.
fn folder_of(path: &Path) -> Result<Project> {
    let path = absolute(path)?;
    let folder = if path.is_file() { path.parent().unwrap_or(&path) } else { &path };
    Ok(Project { root: folder.to_path_buf() })
}

/// What was printed so far.
#[derive(Default)]
struct Shown {
    /// The file whose promises are being printed.
    file: String,
    /// What was said to be wrong with it: several promises may fail for one cause.
    said: BTreeSet<(String, u32, u32, String)>,
    /// Whether the options of quiz items are printed.
    options: bool,
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
        for line in item.shown.iter().filter(|_| self.options) {
            say!("      {line}");
        }
        if let Some(verdict) = &item.verdict {
            report::problems(verdict.warnings.iter());
            report::suppressed(verdict);
            report::printed(verdict);
        }
        if item.status == Status::Failed {
            let new = item.problems.iter().filter(|p| self.said.insert(report::place(p)));
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
