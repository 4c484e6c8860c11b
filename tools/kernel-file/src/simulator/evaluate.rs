//! Evaluates the file's reference on the initial contents of the arrays.
//!
//! A sample comes first. It shows what one element costs, and so whether all elements can be checked.

use super::launch::same_elements;
use super::limits::budget;
use super::program::{Program, Run};
use crate::compare::compare;
use crate::reference::{self, Reference, ReferenceArgument};
use simt::{Arg, Checks, Config, Outcome};

/// Indices of an output, and the expected values there.
#[derive(Debug)]
pub(crate) struct Expected {
    array: usize,
    indices: Vec<u64>,
    values: Vec<u8>,
}

impl Program<'_> {
    /// The expected values of the outputs; `None` if the reference fails, with a problem.
    pub(super) fn evaluate(&self, run: &mut Run) -> Vec<Expected> {
        let mut all = Vec::new();
        for reference in &self.references {
            match self.expected(reference, run) {
                Ok(expected) => all.push(expected),
                Err(message) => {
                    let message = format!("at n = {}: {message}", run.plan.n);
                    run.problems.push(self.file.problem((reference.line, 0), "reference", message));
                }
            }
        }
        all
    }

    fn expected(&self, reference: &Reference, run: &mut Run) -> Result<Expected, String> {
        let array = reference.array(&run.plan).ok_or("there is no such output")?;
        self.takes_its_arrays(reference, run)?;
        let count = run.plan.arrays[array].count as u64;
        let mut indices = reference::sample(&run.plan, count);
        let sampled = indices.len() as u64;
        let (mut values, cost) = self.evaluate_at(reference, run, &indices)?;
        let whole = u128::from(cost) * u128::from(count) / u128::from(sampled.max(1));
        if sampled < count && whole <= u128::from(self.settings.limits.reference) {
            indices = (0..count).collect();
            values = self.evaluate_at(reference, run, &indices)?.0;
        }
        Ok(Expected { array, indices, values })
    }

    /// Whether the reference takes every array as what it is declared as.
    fn takes_its_arrays(&self, reference: &Reference, run: &Run) -> Result<(), String> {
        for param in &self.kernel(&reference.kernel)?.params {
            let array = run.plan.arrays.iter().find(|array| array.name == param.name);
            let (Some(array), Some(pointee)) = (array, &param.pointee) else { continue };
            same_elements(array, &pointee.name).map_err(|other| {
                format!(
                    "`{}` is an array of {}, and the parameter of that name points to {other}: \
                     write `const {}*`",
                    array.name,
                    array.element.name(),
                    array.element.name()
                )
            })?;
        }
        Ok(())
    }

    /// The reference's values at the indices, and how many warp-instructions that took.
    fn evaluate_at(
        &self,
        reference: &Reference,
        run: &mut Run,
        indices: &[u64],
    ) -> Result<(Vec<u8>, u64), String> {
        let count = indices.len() as u64;
        let total = count * reference.parts(&run.plan);
        if total == 0 {
            return Ok((Vec::new(), 0));
        }
        let element = run.plan.arrays[reference.array(&run.plan).unwrap_or(0)].element;
        let at = run.memory.alloc("verify_at", "unsigned long long", 8, indices.len() * 8);
        run.memory.upload(at, &indices.iter().flat_map(|i| i.to_le_bytes()).collect::<Vec<_>>());
        let bytes = total as usize * element.bytes();
        let size = element.bytes() as u32;
        let values = run.memory.alloc("verify_values", element.name(), size, bytes);
        let args =
            reference.arguments(&run.plan, count)?.into_iter().map(|argument| match argument {
                ReferenceArgument::Array(index) => Arg::Buffer(run.buffers[index]),
                ReferenceArgument::Scalar(bytes) => Arg::Value(bytes),
                ReferenceArgument::Indices => Arg::Buffer(at),
                ReferenceArgument::Values => Arg::Buffer(values),
            });
        let blocks = total.div_ceil(u64::from(reference::BLOCK));
        let request = simt::Launch {
            kernel: self.kernel(&reference.kernel)?,
            grid: u32::try_from(blocks).map_err(|_| "too many values to evaluate")?.into(),
            block: reference::BLOCK.into(),
            dynamic_shared: 0,
            args: &args.collect::<Vec<_>>(),
        };
        let config = Config {
            checks: Checks::Counters,
            budget: budget(&run.plan, total.div_ceil(32)).min(self.settings.limits.steps),
            threads: self.settings.threads,
            limits: self.settings.limits.chip(),
            ..Config::default()
        };
        let report = simt::launch(&self.module, &request, &mut run.memory, &config)
            .map_err(|e| format!("the reference cannot be launched: {e}"))?;
        if let Some(finding) = report.findings.first() {
            return Err(format!("the reference has a defect: {}", finding.message));
        }
        match report.outcome {
            Outcome::Completed => {}
            Outcome::BudgetSpent => {
                return Err("the reference takes too long; write `expected_part`".to_owned());
            }
            _ => return Err("the reference did not finish".to_owned()),
        }
        let values = reference.fold(&run.plan, run.memory.download(values));
        Ok((values, report.counters.instructions))
    }

    /// Compares the outputs. Returns the array and the index of the first element that differs.
    pub(super) fn compare(&self, run: &mut Run, expected: &[Expected]) -> Option<(usize, u64)> {
        let mut first = None;
        for Expected { array, indices, values } in expected {
            let planned = &run.plan.arrays[*array];
            let got = run.memory.download(run.buffers[*array]);
            let tolerance = self.file.directives.tolerance;
            if let Err(found) = compare(planned, tolerance, &got, indices, values) {
                let line = self.file.directives.array(&planned.name).map_or(0, |a| a.line);
                let reference = self.references.iter().find(|r| r.output == planned.name);
                let remark = reference.map_or_else(String::new, |reference| reference.remark());
                let message = format!("at n = {}: {}{remark}", run.plan.n, found.message);
                run.problems.push(self.file.problem((line, 0), "wrong-result", message));
                first.get_or_insert((*array, found.index));
            }
        }
        first
    }
}
