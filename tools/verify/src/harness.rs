//! The test and benchmark harness of a chapter: its one-line `tests/chapter.rs` and
//! `benches/ladder.rs` call it.
//!
//! The tests are the tasks of [`crate::check`] for the chapter's folder. The folder is found at
//! run time, by `CARGO_MANIFEST_DIR` or else as the current folder, so that an executable can run on
//! another machine. The tests of an absent back end are ignored, with the reason as the test's kind;
//! `WARPBOOK_REQUIRE=nvrtc,gpu` makes them fail instead.

use crate::backend::sim::Sim;
use crate::backend::{Backend, required};
use crate::check::{Task, chapter_tasks};
use crate::experiment::{self, Experiment};
use crate::measure::Repeat;
use crate::project::{Chapter, Project};
use crate::results::ExperimentResult;
use crate::verifier::Verifier;
use anyhow::{Context, Result};
use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};
use kernel_file::KernelFile;
use kernel_file::verdict::{Availability, BackendName, Problem, Status};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Everything in a chapter's `tests/chapter.rs` (which has `harness = false`).
#[macro_export]
macro_rules! chapter_tests {
    () => {
        $crate::chapter_tests!(&[]);
    };
    ($experiments:expr) => {
        fn main() -> std::process::ExitCode {
            $crate::harness::run_tests($experiments)
        }
    };
}

/// Everything in a chapter's `benches/ladder.rs` (which has `harness = false`).
#[macro_export]
macro_rules! chapter_benches {
    () => {
        fn main() -> std::process::ExitCode {
            $crate::harness::run_benches()
        }
    };
}

/// The largest size that is benchmarked on the simulator: that of the book's ladder.
const BENCH_SIZE: u64 = 1 << 24;

/// The argument with which a chapter's test executable records its experiments into a file.
pub const RECORD: &str = "--record";

/// Runs the chapter's tests as `cargo test` and nextest expect it; each experiment is one of them.
/// With `--record FILE` it runs the experiments in full instead, and writes their results.
pub fn run_tests(experiments: &'static [Experiment]) -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_some_and(|word| word == RECORD) {
        let recorded = words.next().context("`--record` needs a file to write to");
        return match recorded.and_then(|file| record(experiments, Path::new(&file))) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error:#}");
                ExitCode::FAILURE
            }
        };
    }
    let arguments = Arguments::from_args();
    match open() {
        Ok((verifier, chapter)) => {
            let verifier = Arc::new(verifier);
            let dir = Arc::new(chapter.dir.clone());
            let tasks = chapter_tasks(verifier.project(), &chapter);
            let mut trials: Vec<Trial> =
                tasks.into_iter().map(|task| trial(&verifier, task)).collect();
            trials.extend(experiments.iter().map(|experiment| {
                let (shared, dir) = (Arc::clone(&verifier), Arc::clone(&dir));
                let name = format!("gpu/experiment/{}", experiment.name);
                device_trial(&name, verifier.absence(BackendName::Gpu), move || {
                    experiment::run(experiment, shared.project(), &dir, true).map(|_| ())
                })
            }));
            libtest_mimic::run(&arguments, trials).exit_code()
        }
        Err(error) => {
            let message = format!("{error:#}");
            let failing = Trial::test("chapter", move || Err(Failed::from(message)));
            libtest_mimic::run(&arguments, vec![failing]).exit_code()
        }
    }
}

fn trial(verifier: &Arc<Verifier>, task: Task) -> Trial {
    let required = required(task.backend);
    let absent = verifier.absence(task.backend).is_some();
    let left_out = task.left_out(verifier);
    let name = task.name.clone();
    let shared = Arc::clone(verifier);
    let trial = Trial::test(name, move || {
        let item = task.run(&shared);
        match item.status {
            Status::Passed => Ok(()),
            Status::Failed => Err(Failed::from(rendered(&item.problems))),
            Status::Skipped => Err(Failed::from(match shared.availability(task.backend) {
                Availability::Absent { reason, remedy } => {
                    format!("`{}` is required, but {reason}; {remedy}", task.backend)
                }
                Availability::Present { .. } => item.reason,
            })),
        }
    });
    match left_out {
        Some(reason) if !(absent && required) => trial.with_kind(reason).with_ignored_flag(true),
        _ => trial,
    }
}

/// A test of a chapter's host code on a device: its name and its function.
pub type DeviceTest<'a> = (&'a str, fn() -> Result<()>);

/// The `main` of a test executable for a chapter's host code. Each test needs a device, and is
/// ignored with the reason if there is none.
pub fn run_device_tests(tests: &[DeviceTest<'_>]) -> ExitCode {
    let arguments = Arguments::from_args();
    // The verifier is kept alive: it holds the compiler's library, which the host code uses.
    let opened = open();
    let trials = tests.iter().map(|&(name, test)| {
        let absence = match &opened {
            Ok((verifier, _)) => verifier.absence(BackendName::Gpu).map(str::to_owned),
            Err(error) => {
                let message = format!("{error:#}");
                return Trial::test(name, move || Err(Failed::from(message)));
            }
        };
        device_trial(name, absence.as_deref(), test)
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

/// A test that needs a device; `absence` says why there is none.
fn device_trial(
    name: &str,
    absence: Option<&str>,
    test: impl FnOnce() -> Result<()> + Send + 'static,
) -> Trial {
    match absence.map(str::to_owned) {
        Some(reason) if required(BackendName::Gpu) => {
            Trial::test(name, move || Err(Failed::from(format!("`gpu` is required, but {reason}"))))
        }
        Some(reason) => {
            let message = reason.clone();
            let trial = Trial::test(name, move || Err(Failed::from(message)));
            trial.with_kind(reason).with_ignored_flag(true)
        }
        None => {
            Trial::test(name, move || test().map_err(|error| Failed::from(format!("{error:#}"))))
        }
    }
}

/// Runs the experiments and writes their results, by name. Failures are reported at the end, after
/// the other results are written.
fn record(experiments: &[Experiment], file: &Path) -> Result<()> {
    let (verifier, chapter) = open()?;
    let mut results: BTreeMap<&str, ExperimentResult> = BTreeMap::new();
    let mut failures = Vec::new();
    for experiment in experiments {
        match experiment::run(experiment, verifier.project(), &chapter.dir, false) {
            Ok(result) => drop(results.insert(experiment.name, result)),
            Err(error) => failures.push(format!("{error:#}")),
        }
    }
    std::fs::write(file, serde_json::to_string_pretty(&results)?)
        .with_context(|| format!("cannot write `{}`", file.display()))?;
    anyhow::ensure!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}

fn rendered(problems: &[Problem]) -> String {
    problems.iter().map(|p| p.rendered.as_str()).collect::<Vec<_>>().join("\n")
}

/// Benchmarks every rung at each of its points: on the simulator, at the page's size and at
/// [`BENCH_SIZE`] if that is measured, and on the device if there is one.
pub fn run_benches() -> ExitCode {
    let mut criterion = Criterion::default().configure_from_args();
    match open().and_then(|(verifier, chapter)| bench(&mut criterion, &verifier, &chapter)) {
        Ok(()) => {
            criterion.final_summary();
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn bench(criterion: &mut Criterion, verifier: &Verifier, chapter: &Chapter) -> Result<()> {
    let sim = Sim::new();
    let project = verifier.project();
    for path in &chapter.kernels {
        let file = project.read(path).map_err(|problems| anyhow::anyhow!(rendered(&problems)))?;
        if file.directives.catches.is_some() {
            continue;
        }
        let mut group = criterion.benchmark_group(format!("sim/{}", file.stem));
        group.sample_size(10).sampling_mode(SamplingMode::Flat);
        let large = file.directives.measure.contains(&BENCH_SIZE).then_some(BENCH_SIZE);
        for at in file.points().iter().map(|point| file.at(point)) {
            for n in at.directives.page.into_iter().chain(large) {
                group.throughput(Throughput::Elements(n));
                group.bench_with_input(bench_id(n, &at), &n, |bencher, n| {
                    bencher.iter(|| sim.run(&at, project, &[*n]));
                });
            }
        }
        group.finish();
        if verifier.absence(BackendName::Gpu).is_none() {
            bench_device(criterion, project, &file)?;
        }
    }
    Ok(())
}

/// `16777216`, or `16777216,stride=4`.
fn bench_id(n: u64, file: &KernelFile) -> BenchmarkId {
    let comma = if file.point.is_empty() { "" } else { "," };
    BenchmarkId::from_parameter(format!("{n}{comma}{}", file.point))
}

/// Benchmarks a file on the device at its measured sizes, by CUDA events.
fn bench_device(criterion: &mut Criterion, project: &Project, file: &KernelFile) -> Result<()> {
    let mut group = criterion.benchmark_group(format!("gpu/{}", file.stem));
    let points = file.points();
    let all = points.iter().flat_map(|point| {
        let at = file.at(point);
        file.directives.measure.iter().map(move |n| (at.clone(), n))
    });
    for (at, n) in all {
        let repeat = Repeat::prepare(project, &at, *n)?;
        // A kernel that cannot run fails here; a later failure ends the benchmark.
        repeat.run(1)?;
        group.throughput(Throughput::Elements(*n));
        group.bench_function(bench_id(*n, &at), |bencher| {
            bencher.iter_custom(|times| repeat.run(times).unwrap_or_else(|e| panic!("{e:#}")));
        });
    }
    group.finish();
    Ok(())
}

/// The chapter that this executable belongs to.
fn open() -> Result<(Verifier, Chapter)> {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let here = std::env::current_dir().context("there is no current folder")?;
    let folder = manifest.filter(|f| f.is_dir()).unwrap_or(here);
    let project = Project::find(&folder)?;
    let chapter = Chapter::open(&folder)?;
    anyhow::ensure!(
        !chapter.kernels.is_empty(),
        "`{}` has no `kernels/*.cu`; run this in a chapter's folder",
        folder.display()
    );
    Ok((Verifier::open(&project)?, chapter))
}
