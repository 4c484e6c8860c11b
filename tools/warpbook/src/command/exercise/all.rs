//! `warpbook exercise --all`: every solution of the book, a line for each, on the simulator or on the GPU.

use super::{Where, gpu};
use crate::Outcome;
use crate::progress::say;
use anyhow::{Context, Result};
use kernel_file::exercise::Checker;
use kernel_file::{Exercise, Header};
use std::time::Instant;
use verify::backend::{Backend, nvcc};
use verify::{Project, Status};

/// What became of a solution.
enum Fate {
    Passed(String),
    Failed(String),
    NotRun(String),
}

pub(super) fn run(project: &Project, at: Where, seed: u64) -> Result<Outcome> {
    let device = match at {
        Where::Gpu => Some(gpu(project)?),
        Where::Sim => None,
    };
    let (mut passed, mut failed, mut left) = (0, 0, 0);
    for placed in project.exercises()? {
        let begun = Instant::now();
        let fate = match project.exercise(&placed.path) {
            Ok((exercise, headers)) => match &device {
                Some(device) => on_gpu(project, device.as_ref(), &exercise),
                None => on_simulator(&exercise, headers, seed),
            },
            Err(problems) => {
                Fate::Failed(problems.first().map_or_else(String::new, |p| p.message.clone()))
            }
        };
        let (count, word, why) = match fate {
            Fate::Passed(why) => (&mut passed, "passed", why),
            Fate::Failed(why) => (&mut failed, "FAILED", why),
            Fate::NotRun(why) => (&mut left, "not run", why),
        };
        *count += 1;
        let (number, seconds) = (&placed.number, begun.elapsed().as_secs_f64());
        let stem = placed.path.file_stem().unwrap_or_default().to_string_lossy();
        say!("{number:<5} {word:<7} {seconds:>6.2} s  {stem}: {why}");
    }
    say!("\n{passed} passed, {failed} failed, {left} not run.");
    Ok(if failed == 0 { Outcome::Kept } else { Outcome::Broken })
}

fn on_simulator(exercise: &Exercise, headers: Vec<Header>, seed: u64) -> Fate {
    let checker = match Checker::new(exercise, headers) {
        Ok(checker) => checker,
        Err(problems) => {
            return Fate::Failed(problems.first().map_or_else(String::new, |p| p.message.clone()));
        }
    };
    let checked = checker.check(exercise.relative(), &exercise.solved(), seed);
    match checked.failure {
        Some(failure) => Fate::Failed(failure.message),
        None => {
            Fate::Passed(format!("{} sizes, {} gates", checked.sizes.len(), checked.gates.len()))
        }
    }
}

fn on_gpu(project: &Project, device: &dyn Backend, exercise: &Exercise) -> Fate {
    let file = &exercise.solution;
    if exercise.is_program {
        return match program_on_gpu(project, exercise, &file.text) {
            Ok(words) => Fate::Passed(words),
            Err(why) if nvcc::find().is_none() => Fate::NotRun(why.to_string()),
            Err(why) => Fate::Failed(format!("{why:#}")),
        };
    }
    if let Some(why) = file.directives.needs.iter().find_map(|need| device.meets(need).err()) {
        return Fate::NotRun(why);
    }
    let sizes = sizes(exercise);
    let verdict = device.run(file, project, &sizes);
    match verdict.status {
        Status::Passed => Fate::Passed(format!("{} sizes", sizes.len())),
        Status::Skipped => Fate::NotRun(verdict.reason),
        _ => Fate::Failed(
            verdict.all_problems().next().map_or_else(String::new, |p| p.message.clone()),
        ),
    }
}

/// The test sizes, and the page's.
fn sizes(exercise: &Exercise) -> Vec<u64> {
    let directives = &exercise.solution.directives;
    directives.test.iter().chain(&directives.page).copied().collect()
}

/// Compiles a program with nvcc and runs it at each size; its `main` judges the result.
///
/// # Errors
/// If there is no nvcc, or if it fails: why.
pub(super) fn program_on_gpu(project: &Project, exercise: &Exercise, text: &str) -> Result<String> {
    let nvcc = nvcc::find().context(
        "a program needs nvcc; name the toolkit's folder by WARPBOOK_CUDA or put nvcc on the PATH",
    )?;
    let sizes = sizes(exercise);
    let folder = project.root.join("target/verify/exercises");
    nvcc::run_program(&nvcc, &folder, exercise, text, &sizes)?;
    Ok(format!("{} sizes, compiled by nvcc", sizes.len()))
}
