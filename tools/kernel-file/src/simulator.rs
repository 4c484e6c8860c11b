//! Runs a kernel file on the simulator and judges the result.
//!
//! For each size: allocate the arrays, evaluate the file's reference on their initial contents, run
//! the launches with all checks on, and compare the outputs. A finding, a difference or a launch that
//! cannot start fails the file. A file that teaches a defect must have one ([`crate::catch`]).

mod evaluate;
mod judge;
mod launch;
mod limits;
mod program;
mod ran;
mod trial;
mod writer;

pub(crate) use evaluate::Expected;
pub use judge::{Judge, Prepared};
pub use limits::Limits;
pub use program::Program;
pub use ran::{Ran, lines};
pub(crate) use trial::{Trial, Work};

use crate::unit::Unit;
use crate::verdict::Problem;
use simt::{Checks, Model, Module, Severity};

/// How to run.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// The checks while the kernels run; the reference runs without any. Only [`Checks::All`] gives a
    /// verdict that others may rely on.
    pub checks: Checks,
    /// The order of lanes, warps and blocks where the program leaves it open.
    pub model: Model,
    /// The most threads of this computer. The result does not depend on it.
    pub threads: usize,
    /// The limits on time and memory.
    pub limits: Limits,
}

/// Compiles a unit.
///
/// # Errors
/// If it does not compile.
pub fn compile(unit: &Unit) -> Result<Module, Vec<Problem>> {
    simt::compile(unit.sources()).map_err(|failure| {
        let errors = failure.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        errors.map(|d| unit.problem(d, &failure.sources)).collect()
    })
}
