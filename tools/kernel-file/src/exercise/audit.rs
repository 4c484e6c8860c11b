//! Audits an exercise: its solution and its other right answers pass, its starter fails as its kind says,
//! and each wrong answer is rejected for the reason that it states.

use super::check::Checked;
use super::checker::Checker;
use super::source::{Exercise, Kind};
use crate::unit::Header;
use crate::verdict::Problem;

/// The seed of the inputs; any would do.
const SEED: u64 = 1;

impl Exercise {
    /// What is wrong with the exercise; nothing if it keeps its promises. `headers` are what it includes.
    pub fn audit(&self, headers: Vec<Header>) -> Vec<Problem> {
        let checker = match Checker::new(self, headers) {
            Ok(checker) => checker,
            Err(problems) => return problems,
        };
        let check = |text: &str| checker.check(self.relative(), text, SEED);
        let mut problems = Vec::new();
        if let Some(failure) = check(&self.solved()).failure {
            let message =
                format!("the solution is rejected ({}): {}", failure.code, failure.message);
            problems.push(self.problem(self.line, message));
        }
        for right in self.rights() {
            if let Some(failure) = check(&self.with_right(right)).failure {
                let message = format!(
                    "this right answer is rejected ({}): {}",
                    failure.code, failure.message
                );
                problems.push(self.problem(right.line, message));
            }
        }
        problems.extend(self.starter_problem(&check(&self.starter())));
        for wrong in self.wrongs() {
            let checked = check(&self.with_wrong(wrong));
            let Some(failure) = &checked.failure else {
                let message =
                    format!("this wrong answer passes ({}: {})", wrong.code, wrong.reason);
                problems.push(self.problem(wrong.line, message));
                continue;
            };
            let gate = wrong.code.strip_prefix("gate ");
            let missed = |word| checked.gates.iter().any(|row| row.word == word && !row.holds);
            if failure.code != wrong.code && !gate.is_some_and(missed) {
                let message = format!(
                    "this is rejected for `{}`, not for `{}`: {}",
                    failure.code, wrong.code, failure.message
                );
                problems.push(self.problem(wrong.line, message));
            }
        }
        problems
    }

    /// What is wrong with the starter, whose check is given.
    fn starter_problem(&self, checked: &Checked) -> Option<Problem> {
        let line = self.regions().next().map_or(self.line, |region| region.line);
        let Some(failure) = &checked.failure else {
            return Some(self.problem(line, "the starter passes: nothing is left to do"));
        };
        let gate = failure.code.starts_with("gate ");
        let never = ["compile", "frame", "reference", "exercise"].contains(&failure.code.as_str());
        let (fits, should) = match self.kind {
            Kind::Write => (!never, "compile, and fail"),
            Kind::Mend => (!never && !gate, "have a defect that the check finds"),
            Kind::Improve => (gate, "be right and fail a gate"),
        };
        let message = format!(
            "the starter of an exercise to {} should {should}; it fails for `{}`: {}",
            self.kind.name(),
            failure.code,
            failure.message
        );
        (!fits).then(|| self.problem(line, message))
    }
}
