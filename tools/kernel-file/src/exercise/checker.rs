//! The check of an attempt, of either kind: a kernel, whose launches the file's directives describe, or a
//! complete program, whose host code the reader writes.

use super::check::{Checked, KernelChecker};
use super::program::ProgramChecker;
use super::source::Exercise;
use crate::unit::Header;
use crate::verdict::Problem;

/// What is known of an exercise before any attempt.
#[derive(Debug)]
pub struct Checker<'a>(Kind<'a>);

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
        Ok(Checker(if exercise.is_program {
            Kind::Program(Box::new(ProgramChecker::new(exercise, headers)?))
        } else {
            Kind::Kernel(Box::new(KernelChecker::new(exercise, headers)?))
        }))
    }

    /// Checks an attempt, which messages call `name`. Its inputs depend on the seed.
    pub fn check(&self, name: &str, attempt: &str, seed: u64) -> Checked {
        match &self.0 {
            Kind::Kernel(checker) => checker.check(name, attempt, seed),
            Kind::Program(checker) => checker.check(name, attempt, seed),
        }
    }
}
