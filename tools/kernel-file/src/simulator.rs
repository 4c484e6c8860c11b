//! Whether the simulator bears a kernel file out.
//!
//! For a size: the arrays are made, the file's own reference is evaluated on them as they are
//! before the first launch, the launches run with all checks on, and what came out is compared.
//! A finding, a difference or a launch that cannot start fails the kernel. For a file that teaches
//! a defect it is the other way round ([`crate::catch`]), and nothing is compared.

mod evaluate;
mod launch;
mod limits;
mod program;
mod ran;

pub use limits::Limits;
pub use program::Program;
pub use ran::{Ran, add, lines};

use crate::unit::Unit;
use crate::verdict::Problem;
use simt::{Checks, Model, Module, Severity};

/// How to run.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// What is watched while the kernels run; never the reference. What is not watched is not
    /// found: only [`Checks::All`] gives a verdict that others may rely on.
    pub checks: Checks,
    /// The order wherever a program leaves it open.
    pub model: Model,
    /// Threads of this computer at most. The result does not depend on it.
    pub threads: usize,
    /// What it may cost.
    pub limits: Limits,
}

/// Compiles a unit; every error as a problem.
///
/// # Errors
/// If it does not compile.
pub fn compile(unit: &Unit) -> Result<Module, Vec<Problem>> {
    simt::compile(unit.sources()).map_err(|failure| {
        let errors = failure.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        errors.map(|d| unit.problem(d, &failure.sources)).collect()
    })
}
