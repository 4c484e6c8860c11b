//! A run that is judged by another program's reference: an attempt at an exercise by the solution's.
//!
//! The attempt's own text evaluates nothing that it is compared with, so a macro or a function in it
//! cannot change what is expected.

use super::evaluate::Expected;
use super::program::{Program, upload};
use super::ran::Ran;
use super::{Settings, compile};
use crate::directive::Role;
use crate::file::KernelFile;
use crate::fill::Fill;
use crate::plan::Plan;
use crate::unit::Unit;
use crate::verdict::{Problem, Status};

/// A plan, and the outputs that it must have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Work<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) expected: &'a [Expected],
}

/// The result of a trial.
#[derive(Debug)]
pub(crate) struct Trial {
    pub(crate) ran: Ran,
    /// The inputs that the launches changed, by name.
    pub(crate) changed: Vec<String>,
    /// Whether the problems are those of the second run, which found the `__device__` variables as the
    /// first one left them.
    pub(crate) second: bool,
}

impl<'a> Program<'a> {
    /// Compiles a file without its reference.
    ///
    /// # Errors
    /// If it does not compile.
    pub(crate) fn without_reference(
        file: &'a KernelFile,
        unit: &Unit,
        settings: Settings,
    ) -> Result<Program<'a>, Vec<Problem>> {
        let module = compile(unit)?;
        Ok(Program {
            file,
            unit: unit.clone(),
            references: Vec::new(),
            module,
            settings,
            // Who solves an exercise does not suppress what is wrong with it.
            suppresses: false,
        })
    }

    /// Changes how it runs from now on.
    pub(crate) fn set(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// The outputs that a plan must have.
    ///
    /// # Errors
    /// If the reference fails, or the arrays are too large.
    pub(crate) fn expect(&self, plan: &Plan) -> Result<Vec<Expected>, Vec<Problem>> {
        if let Some(problem) = self.too_large(plan) {
            return Err(vec![problem]);
        }
        let mut run = self.prepare(plan.clone());
        let expected = self.evaluate(&mut run);
        if run.problems.is_empty() { Ok(expected) } else { Err(run.problems) }
    }

    /// Whether it has `__device__` variables, which keep their values from launch to launch.
    pub(crate) fn keeps(&self) -> bool {
        self.module.globals.iter().any(|global| !global.constant)
    }

    /// Executes the first plan, and judges it; then the second one, with fresh arrays.
    pub(crate) fn attempt(&self, first: Work<'_>, second: Option<Work<'_>>) -> Trial {
        let mut size_run = self.nothing(first.plan.n);
        if let Some(problem) = self.too_large(first.plan) {
            size_run.problems.push(problem);
            return Trial { ran: Ran::refused(size_run), changed: Vec::new(), second: false };
        }
        let mut run = self.prepare(first.plan.clone());
        self.launch_all(&mut run);
        if run.problems.is_empty() {
            self.compare(&mut run, first.expected);
        }
        size_run.instructions = run.counters.instructions;
        let inputs = run.plan.arrays.iter().zip(&run.buffers);
        let inputs = inputs.filter(|(a, _)| a.role == Role::Input && a.fill != Fill::Poison);
        let changed = inputs.filter(|(a, at)| run.memory.download(**at) != a.initial());
        let changed = changed.map(|(array, _)| array.name.clone()).collect();
        let (counters, buffers) = (run.counters, run.buffers.clone());
        let second = second.filter(|_| run.problems.is_empty());
        if let Some(work) = second {
            run.plan = work.plan.clone();
            run.buffers = upload(&run.plan, &mut run.memory);
            let reports = run.reports.len();
            self.launch_all(&mut run);
            run.reports.truncate(reports);
            if run.problems.is_empty() {
                self.compare(&mut run, work.expected);
            }
        }
        if run.problems.is_empty() {
            size_run.status = Status::Passed;
        }
        size_run.problems = run.problems;
        let ran = Ran {
            warnings: run.warnings,
            notes: run.notes,
            suppressed: run.suppressed,
            endless: run.endless,
            reports: run.reports,
            counters,
            run: size_run,
            plan: Some(run.plan),
            buffers,
            memory: run.memory,
        };
        Trial { ran, changed, second: second.is_some() }
    }
}
