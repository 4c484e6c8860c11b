//! Several sizes of a kernel file as one verdict of the simulator.

use super::evaluate::Expected;
use super::{Program, Ran, Settings};
use crate::catch;
use crate::verdict::{Problem, SizeRun};
use crate::{BackendName, KernelFile, Plan, Status, Unit, Verdict};
use std::collections::BTreeMap;

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
        match Program::compile(file, unit, self.settings) {
            Ok(program) => self.over(&program, sizes, |n| program.run(n), outputs),
            Err(problems) => Verdict::failed(BackendName::Sim, self.identity, problems),
        }
    }

    /// What `run` gives at these sizes.
    fn over(
        &self,
        program: &Program<'_>,
        sizes: &[u64],
        mut run: impl FnMut(u64) -> Ran,
        outputs: impl Fn(&Ran) -> Vec<(String, String)>,
    ) -> Verdict {
        let file = program.file;
        let mut verdict = Verdict::new(BackendName::Sim, self.identity);
        let (mut warnings, mut suppressed) = program.lints();
        let mut notes = Vec::new();
        for n in sizes {
            let ran = run(*n);
            let failed = ran.run.status == Status::Failed;
            verdict.runs.push(SizeRun { outputs: outputs(&ran), ..ran.run });
            warnings.extend(ran.warnings);
            notes.extend(ran.notes);
            suppressed.extend(ran.suppressed);
            if ran.endless || failed && self.stops {
                break;
            }
        }
        add_places(&mut verdict.warnings, warnings);
        add_places(&mut verdict.notes, notes);
        for one in suppressed {
            if !verdict.suppressed.iter().any(|known| is_at_place(&known.problem, &one.problem)) {
                verdict.suppressed.push(one);
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

/// A file that is judged several times, in other orders: it is compiled once, and its reference is
/// evaluated once for each size.
#[derive(Debug)]
pub struct Prepared<'a> {
    program: Result<Program<'a>, Vec<Problem>>,
    expected: BTreeMap<u64, Option<Vec<Expected>>>,
}

impl<'a> Prepared<'a> {
    /// Compiles a file. If it does not compile, its verdicts say so.
    pub fn new(file: &'a KernelFile, unit: &Unit, settings: Settings) -> Prepared<'a> {
        let program = Program::compile(file, unit, settings);
        Prepared { program, expected: BTreeMap::new() }
    }

    /// As [`Judge::verdict`].
    pub fn verdict(
        &mut self,
        judge: &Judge<'_>,
        sizes: &[u64],
        outputs: impl Fn(&Ran) -> Vec<(String, String)>,
    ) -> Verdict {
        let program = match &mut self.program {
            Ok(program) => program,
            Err(problems) => {
                return Verdict::failed(BackendName::Sim, judge.identity, problems.clone());
            }
        };
        program.set(judge.settings);
        let program = &*program;
        let run = |n| match Plan::new(program.file, n) {
            Ok(plan) => program.carry_out_expecting(plan, self.expected.entry(n).or_default()),
            Err(problems) => Ran::refused(SizeRun { problems, ..program.nothing(n) }),
        };
        judge.over(program, sizes, run, outputs)
    }
}

/// Adds the problems whose place and code are new: the sizes differ in the threads that are named.
fn add_places(all: &mut Vec<Problem>, more: Vec<Problem>) {
    for problem in more {
        if !all.iter().any(|known| is_at_place(known, &problem)) {
            all.push(problem);
        }
    }
}

fn is_at_place(one: &Problem, other: &Problem) -> bool {
    (&one.file, one.line, &one.code) == (&other.file, other.line, &other.code)
}
