//! Several sizes of a kernel file as one verdict of the simulator.

use super::{Program, Ran, Settings};
use crate::catch;
use crate::verdict::SizeRun;
use crate::{BackendName, KernelFile, Status, Unit, Verdict};

/// How a file is judged.
#[derive(Debug, Clone, Copy)]
pub struct Judge<'a> {
    /// The simulator's identity, as the verdict has it.
    pub identity: &'a str,
    /// How to run.
    pub settings: Settings,
    /// Whether the first size that fails ends the run.
    pub stops: bool,
}

impl Judge<'_> {
    /// Runs the file at these sizes. `outputs` is what the verdict keeps of a run's output arrays: a
    /// name and a hash of each.
    pub fn verdict(
        &self,
        file: &KernelFile,
        unit: &Unit,
        sizes: &[u64],
        outputs: impl Fn(&Ran) -> Vec<(String, String)>,
    ) -> Verdict {
        let name = BackendName::Sim;
        let program = match Program::compile(file, unit, self.settings) {
            Ok(program) => program,
            Err(problems) => return Verdict::failed(name, self.identity, problems),
        };
        let mut verdict = Verdict::new(name, self.identity);
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
}
