//! The simulator: always there, in process, and it watches everything.
//!
//! For each size: the arrays are made, the file's own reference is evaluated on them as they are
//! before the first launch, the launches run with all checks on, and what came out is compared.
//! A finding, a difference or a launch that cannot start fails the kernel. For a file that teaches
//! a defect it is the other way round ([`crate::catch`]), and nothing is compared.

mod evaluate;
mod program;

use crate::backend::Backend;
use crate::catch;
use crate::directive::Need;
use crate::kernel_file::KernelFile;
use crate::project::Project;
use crate::unit::Unit;
use crate::verdict::{Availability, BackendName, Problem, Status, Verdict};
use program::Program;
use simt::{Follow, Module, Trace};

pub use simt::{Checks, Model};

/// The simulator as a back end.
pub struct Sim {
    threads: usize,
    checks: Checks,
    model: Model,
    stops: bool,
}

impl Sim {
    /// On all threads of this computer, with all checks.
    pub fn new() -> Sim {
        Sim::with(None, Checks::All)
    }

    /// On so many threads (on all where it is not said), with these checks. What is not watched is
    /// not found: only [`Sim::new`] gives a verdict that others may rely on.
    pub fn with(threads: Option<usize>, checks: Checks) -> Sim {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        Sim { threads: threads.unwrap_or_else(all), checks, model: Model::Volta, stops: false }
    }

    /// The same, with another order wherever a program leaves it open.
    #[must_use]
    pub fn under(self, model: Model) -> Sim {
        Sim { model, ..self }
    }

    /// The same, and no size is run behind the first that fails.
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
        let program = match Program::compile(file, project, self.checks, self.model) {
            Ok(program) => program,
            Err(problems) => return Verdict::failed(self.name(), &identity(), problems),
        };
        let mut verdict = Verdict::new(self.name(), &identity());
        let mut warnings = program.lints();
        for n in sizes {
            let ran = program.run(*n, self.threads);
            let failed = ran.run.status == Status::Failed;
            verdict.runs.push(ran.run);
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
        compile(unit).err().unwrap_or_default()
    }
}

/// What one warp of a kernel file does at size `n`: `number` is the launch's, from 0. Nothing is
/// judged, so a defective file can be followed too.
///
/// # Errors
/// Where the file does not compile, cannot be launched, or has no such launch, block or warp.
pub fn trace(
    file: &KernelFile,
    project: &Project,
    n: u64,
    number: usize,
    follow: Follow,
) -> Result<Trace, Vec<Problem>> {
    Program::compile(file, project, Checks::Bare, Model::Volta)?.trace(n, number, follow)
}

/// What a verdict depends on: the simulator's sources.
fn identity() -> String {
    concat!("simt ", env!("SIMULATOR_SOURCES")).to_owned()
}

/// Compiles a unit; every error as a problem.
pub(crate) fn compile(unit: &Unit) -> Result<Module, Vec<Problem>> {
    simt::compile(unit.sources()).map_err(|failure| {
        let errors = failure.diagnostics.iter().filter(|d| d.severity == simt::Severity::Error);
        errors
            .map(|d| {
                let at = failure.sources.position(d.span);
                Problem {
                    file: unit.path_of(failure.sources.name(d.span.file)).to_owned(),
                    line: at.line,
                    column: at.column,
                    code: d.code.to_owned(),
                    message: d.message.clone(),
                    other: None,
                    rendered: d.render(&failure.sources),
                }
            })
            .collect()
    })
}
