//! The simulator as a back end: always present, in process, with all checks.
//!
//! [`kernel_file::simulator`] judges one size; here all sizes become one verdict.

use crate::backend::Backend;
use crate::cache::sha256;
use crate::project::Project;
use kernel_file::catch;
use kernel_file::directive::{Need, Role};
use kernel_file::simulator::{self, Limits, Program, Ran, Settings};
use kernel_file::verdict::SizeRun;
use kernel_file::{Availability, BackendName, KernelFile, Plan, Problem, Status, Unit, Verdict};
use simt::{Follow, Trace};

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
        let program = match Program::compile(file, &project.unit(file), self.settings) {
            Ok(program) => program,
            Err(problems) => return Verdict::failed(self.name(), &identity(), problems),
        };
        let mut verdict = Verdict::new(self.name(), &identity());
        let mut warnings = program.lints();
        for n in sizes {
            let ran = program.run(*n);
            let failed = ran.run.status == Status::Failed;
            verdict.runs.push(SizeRun { outputs: outputs(&ran), ..ran.run });
            warnings.extend(ran.warnings);
            if ran.endless || failed && self.stops {
                break;
            }
        }
        for warning in warnings {
            // The sizes differ in the threads that are named.
            let place = (&warning.file, warning.line, &warning.code);
            if !verdict.warnings.iter().any(|w| (&w.file, w.line, &w.code) == place) {
                verdict.warnings.push(warning);
            }
        }
        if let Some(class) = file.directives.catches {
            verdict.problems = catch::judge(file, class, &mut verdict.runs);
        }
        let failed = verdict.runs.iter().any(|r| r.status == Status::Failed);
        if failed || !verdict.problems.is_empty() {
            verdict.status = Status::Failed;
        }
        verdict
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

fn settings(checks: Checks, threads: usize) -> Settings {
    Settings { checks, model: Model::Volta, threads, limits: Limits::default() }
}

/// The hashes of the outputs.
fn outputs(ran: &Ran) -> Vec<(String, String)> {
    let outputs = ran.arrays().filter(|(array, _)| array.role == Role::Output);
    outputs.map(|(array, at)| (array.name.clone(), sha256(&ran.bytes(at)))).collect()
}

/// The identity of the simulator: a hash of its sources.
fn identity() -> String {
    concat!("simt ", env!("SIMULATOR_SOURCES")).to_owned()
}
