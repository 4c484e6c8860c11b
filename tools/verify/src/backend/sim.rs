//! The simulator as a back end: always present, in process, with all checks.
//!
//! [`kernel_file::simulator`] judges a file; here its outputs are hashed, too.

use crate::backend::Backend;
use crate::cache::sha256;
use crate::project::Project;
use crate::trace::BlockSteps;
use kernel_file::directive::{Need, Role};
use kernel_file::simulator::{self, Judge, Limits, Program, Ran, Settings};
use kernel_file::{Availability, BackendName, KernelFile, Plan, Problem, Unit, Verdict};
use simt::observe::Step;
use simt::{Config, Follow, Record, Trace};

pub use simt::{Checks, Model};

/// The simulator as a back end.
pub struct Sim {
    settings: Settings,
    stops: bool,
}

impl Sim {
    /// On all threads of this computer, with all checks.
    pub fn new() -> Sim {
        Sim::with(None, Checks::All)
    }

    /// On `threads` threads (on all if `None`), with these checks. Only [`Sim::new`] gives a verdict
    /// that others may rely on.
    pub fn with(threads: Option<usize>, checks: Checks) -> Sim {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.unwrap_or_else(all);
        Sim { settings: settings(checks, threads), stops: false }
    }

    /// The same, with another order of lanes, warps and blocks.
    #[must_use]
    pub fn under(self, model: Model) -> Sim {
        Sim { settings: Settings { model, ..self.settings }, ..self }
    }

    /// The same, stopping at the first size that fails.
    #[must_use]
    pub fn stopping(self) -> Sim {
        Sim { stops: true, ..self }
    }
}

impl Sim {
    /// A file that is run several times, in other orders.
    pub fn prepare<'a>(&self, file: &'a KernelFile, project: &Project) -> Prepared<'a> {
        Prepared(simulator::Prepared::new(file, &project.unit(file), self.settings))
    }
}

/// A file that is compiled once, and whose reference is evaluated once for each size.
#[derive(Debug)]
pub struct Prepared<'a>(simulator::Prepared<'a>);

impl Prepared<'_> {
    /// What [`Sim::run`] of `sim` gives.
    pub fn run(&mut self, sim: &Sim, sizes: &[u64]) -> Verdict {
        let judge = Judge { identity: &identity(), settings: sim.settings, stops: sim.stops };
        self.0.verdict(&judge, sizes, outputs)
    }
}

impl Default for Sim {
    fn default() -> Sim {
        Sim::new()
    }
}

impl Backend for Sim {
    fn name(&self) -> BackendName {
        BackendName::Sim
    }

    fn probe(&self) -> Availability {
        Availability::Present { identity: identity() }
    }

    fn meets(&self, _need: &Need) -> Result<(), String> {
        Ok(())
    }

    fn run(&self, file: &KernelFile, project: &Project, sizes: &[u64]) -> Verdict {
        let judge = Judge { identity: &identity(), settings: self.settings, stops: self.stops };
        judge.verdict(file, &project.unit(file), sizes, outputs)
    }

    fn compile(&self, unit: &Unit) -> Vec<Problem> {
        simulator::compile(unit).err().unwrap_or_default()
    }
}

/// Traces one warp of a kernel file at size `n`, in launch `number` (from 0). Nothing is judged, so a
/// defective file can be traced too.
///
/// # Errors
/// If the file does not compile, cannot be launched, or has no such launch, block or warp.
pub fn trace(
    file: &KernelFile,
    project: &Project,
    n: u64,
    number: usize,
    follow: Follow,
) -> Result<Trace, Vec<Problem>> {
    let settings = settings(Checks::Bare, 1);
    let program = Program::compile(file, &project.unit(file), settings)?;
    program.trace(Plan::new(file, n)?, number, follow)
}

/// What all warps of a block do, in the order of execution: the warp of each step, and the step.
///
/// # Errors
/// If the file does not compile, or there is no such launch or block, or it cannot be reached.
pub fn trace_block(
    file: &KernelFile,
    project: &Project,
    n: u64,
    number: usize,
    record: Record,
) -> Result<BlockSteps, Vec<Problem>> {
    let settings = settings(Checks::Bare, 1);
    let program = Program::compile(file, &project.unit(file), settings)?;
    let watch = |config| Config { record: Some(record), threads: 1, ..config };
    let report = program.watch(Plan::new(file, n)?, number, watch)?;
    let history = report.history.filter(|history| !history.is_empty()).ok_or_else(|| {
        let message = format!("there is no block {} at n = {n}", record.block);
        vec![file.problem((0, 0), "launch", message)]
    })?;
    let step = |at| {
        let moment = history.moment(at)?;
        let touched = history.accesses(at).map(|(touched, _)| touched).collect();
        let step = Step { line: moment.line, lanes: moment.lanes, work: moment.work, touched };
        Some((moment.warp, step))
    };
    let steps = (0..history.len()).filter_map(step).collect();
    Ok(BlockSteps { steps, phases: history.phases().clone() })
}

fn settings(checks: Checks, threads: usize) -> Settings {
    Settings { checks, model: Model::Volta, threads, limits: Limits::default() }
}

/// The hashes of the outputs.
fn outputs(ran: &Ran) -> Vec<(String, String)> {
    let outputs = ran.arrays().filter(|(array, _)| array.role == Role::Output);
    outputs.map(|(array, at)| (array.name.clone(), sha256(&ran.bytes(at)))).collect()
}

/// The identity of the simulator: a hash of its sources.
pub(super) fn identity() -> String {
    concat!("simt ", env!("SIMULATOR_SOURCES")).to_owned()
}
