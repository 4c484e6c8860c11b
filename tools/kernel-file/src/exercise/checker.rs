//! The check of an attempt, of either kind: a kernel, whose launches the file's directives describe, or a
//! complete program, whose host code the reader writes.

use super::check::{Checked, Failure, KernelChecker, another_size, refused};
use super::judge::next_step;
use super::program::ProgramChecker;
use super::source::Exercise;
use crate::unit::Header;
use crate::verdict::Problem;

/// What is known of an exercise before any attempt.
#[derive(Debug)]
pub struct Checker<'a> {
    exercise: &'a Exercise,
    kind: Kind<'a>,
}

#[derive(Debug)]
enum Kind<'a> {
    Kernel(Box<KernelChecker<'a>>),
    Program(Box<ProgramChecker<'a>>),
}

impl<'a> Checker<'a> {
    /// Compiles and runs the solution and the starter; `headers` are what they include.
    ///
    /// # Errors
    /// If the solution does not compile, or its reference fails.
    pub fn new(exercise: &'a Exercise, headers: Vec<Header>) -> Result<Checker<'a>, Vec<Problem>> {
        let kind = match exercise.is_program {
            true => Kind::Program(Box::new(ProgramChecker::new(exercise, headers)?)),
            false => Kind::Kernel(Box::new(KernelChecker::new(exercise, headers)?)),
        };
        Ok(Checker { exercise, kind })
    }

    /// Checks an attempt, which messages call `name`. Its inputs depend on the seed.
    pub fn check(&self, name: &str, attempt: &str, seed: u64) -> Checked {
        let directives = &self.exercise.solution.directives;
        let mut sizes = directives.test.clone();
        sizes.push(another_size(directives, seed));
        sizes.sort_unstable();
        sizes.dedup();
        let mut checked =
            Checked { failure: None, gates: Vec::new(), seed, sizes, warnings: Vec::new() };
        let failure = match (self.exercise.admit(attempt), &self.kind) {
            (Err(why), _) => Some(refused(name, attempt, why)),
            (Ok(()), Kind::Kernel(kernel)) => kernel.first_failure(name, attempt, &mut checked),
            (Ok(()), Kind::Program(program)) => program.first_failure(name, attempt, &mut checked),
        };
        checked.failure = failure.map(|failure| {
            let next = next_step(&failure, self.exercise.is_program);
            Failure { next, ..failure }
        });
        checked
    }
}
