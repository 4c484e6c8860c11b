//! `warpbook gpu-child`: the process in which `serve` runs a reader's text on the GPU
//! ([`crate::gpu`]). It is hidden from the list of commands: only `serve` starts it.
//!
//! It reads one request, as the lab's module takes one for `run` ([`simt_wasm::request`]), and answers
//! as that does: diagnostics where it does not compile; else the verdict, problems, launches, arrays,
//! and besides what only a device can say:
//!
//! ```text
//! gpu         its name; machine: with driver and compiler
//! outcome     completed, refused, faulted, or stopped: a kernel that did not end
//! time        median, p10, p90 in microseconds, samples; null where it was not timed
//! untimed     why not; null where it was
//! gbps        and gflops: what that makes, where the file counts bytes or operations
//! resources   arch, kernel, registers, shared, stack, spill_stores, spill_loads
//! ```

use crate::Outcome;
use crate::command::Root;
use crate::progress::say;
use anyhow::{Context, Result};
use kernel_file::file::is_program;
use kernel_file::plan::Plan;
use kernel_file::unit::Unit;
use serde_json::{Value, json};
use simt_wasm::{check, request, show};
use std::io::Read;
use std::time::Duration;
use verify::trial::{LocalGpu, Trial};
use verify::{BackendName, KernelFile, Problem, Project};

/// The subcommand's name.
pub(crate) const NAME: &str = "gpu-child";

/// How long all of it may take: the driver, the compiler, the run, the timing.
pub(crate) const LIMIT: Duration = Duration::from_secs(15);

/// How long a launch may take. What is much longer is no lesson, and a display may hang from it.
const LAUNCH_LIMIT: Duration = Duration::from_secs(5);

/// Run one request of a page, for `serve`
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {}

pub(super) fn execute(_: &Arguments, root: &Root) -> Result<Outcome> {
    std::thread::spawn(|| {
        std::thread::sleep(2 * LIMIT);
        // The server did not end this process, so it is gone. An orderly exit would wait for a kernel
        // that may never end.
        std::process::abort();
    });
    let project = root.project()?;
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).context("reading the request")?;
    let (seal, order) = text.split_once('\n').context("the request has no first line")?;
    let order: Value = serde_json::from_str(order).context("the request")?;
    let answer = answer(&project, &order).unwrap_or_else(|error| json!({ "error": error }));
    say!("{seal}{answer}");
    Ok(Outcome::Kept)
}

/// Carries it out.
///
/// # Errors
/// Where the request makes no sense, or nothing can be run here.
fn answer(project: &Project, order: &Value) -> Result<Value, String> {
    let unit = request::unit(order)?;
    if is_program(&unit.text) {
        return Err("A program with a `main` runs on the simulator: press Run.".to_owned());
    }
    let file = match KernelFile::parse(&unit.name, unit.text.clone()) {
        Ok(file) => file,
        Err(problems) => return Ok(refused(&problems, &unit)),
    };
    let skip = file.directives.skips.iter().find(|skip| skip.backend == BackendName::Gpu);
    if let Some(skip) = skip {
        return Err(format!("This file is not run on a GPU: {}.", skip.reason));
    }
    let (file, n) = request::at_point(order, &file)?;
    let mut plan = match Plan::new(&file, n) {
        Ok(plan) => plan,
        Err(problems) => return Ok(refused(&problems, &unit)),
    };
    request::reshape(order, &mut plan)?;
    let machine = LocalGpu::find(project)?;
    let mut answer = match machine.try_out(&unit, &file, &plan, LAUNCH_LIMIT) {
        Ok(trial) => judged(&trial, &file, &plan),
        Err(problems) => refused(&problems, &unit),
    };
    answer["gpu"] = json!(machine.name);
    answer["machine"] = json!(machine.identity);
    Ok(answer)
}

/// What cannot be run, at its lines.
fn refused(problems: &[Problem], unit: &Unit) -> Value {
    let diagnostics: Vec<Value> = problems.iter().map(|p| show::problem(p, unit)).collect();
    json!({ "diagnostics": diagnostics })
}

fn judged(trial: &Trial, file: &KernelFile, plan: &Plan) -> Value {
    let passed = trial.problems.is_empty();
    let arrays = plan.arrays.iter().zip(&trial.outputs);
    let arrays: Vec<Value> =
        arrays.map(|(array, left)| show::array(array, left.as_deref())).collect();
    let time = trial.time.as_ref().ok();
    json!({
        "diagnostics": [],
        "verdict": if passed { "passed" } else { "failed" },
        "outcome": outcome(&trial.problems),
        "problems": trial.problems.iter().map(show::run_problem).collect::<Vec<_>>(),
        "launches": check::launches(plan),
        "arrays": arrays,
        "point": check::point_of(file, plan.n),
        "time": time.map(|time| json!({
            "median": time.us.median, "p10": time.us.p10, "p90": time.us.p90,
            "samples": time.us.samples,
        })),
        "untimed": trial.time.as_ref().err(),
        "gbps": time.and_then(|time| time.gbps),
        "gflops": time.and_then(|time| time.gflops),
        "resources": trial.resources,
    })
}

/// How the run ended, by what is wrong with it.
fn outcome(problems: &[Problem]) -> &'static str {
    let has = |code: &str| problems.iter().any(|problem| problem.code == code);
    match () {
        () if has("hang") => "stopped",
        () if has("fault") => "faulted",
        () if has("launch") => "refused",
        () => "completed",
    }
}
