//! Limits on instructions and memory.
//!
//! A launch that runs much longer than its size explains counts as endless. The caller may set lower
//! limits, on the instructions of all launches together and on memory.

use crate::file::KernelFile;
use crate::plan::{Plan, PlannedArray};
use crate::reference::OPERATIONS;
use crate::verdict::Problem;

/// Warp-instructions after which a launch counts as endless: a constant ...
const BUDGET: u64 = 10_000_000;

/// ... plus this many per warp ...
const BUDGET_PER_WARP: u64 = 10_000;

/// ... plus this many per byte of its arrays: few warps may read much data.
const BUDGET_PER_BYTE: u64 = 2;

/// The most warps of a launch: eight threads for each of 2^28 numbers. Even empty warps then take
/// more than a minute to simulate.
pub(super) const WARPS: u64 = 1 << 26;

/// The limits of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Warp-instructions of all launches together; each launch of the reference may take as many.
    pub steps: u64,
    /// Warp-instructions for evaluating the reference for a whole output; beyond them a sample is
    /// checked.
    pub reference: u64,
    /// Bytes of all arrays together (the checks take several times that), and bytes that a launch
    /// needs besides.
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: u64::MAX, reference: OPERATIONS, memory: 1 << 30 }
    }
}

impl Limits {
    /// The problem if the arrays of a plan exceed the memory.
    pub fn refuse(self, file: &KernelFile, plan: &Plan) -> Option<Problem> {
        // In 64 bits: where addresses have 32, what is too large must not come out as small.
        let size = |a: &PlannedArray| a.count as u64 * a.element.bytes() as u64;
        let bytes: u64 = plan.arrays.iter().map(size).sum();
        if bytes <= self.memory {
            return None;
        }
        let message = format!(
            "at n = {}: the arrays take {} MiB, and the simulator holds at most {} MiB",
            plan.n,
            bytes >> 20,
            self.memory >> 20
        );
        let line = file.directives.arrays.first().map_or(0, |a| a.line);
        Some(file.problem((line, 0), "memory", message))
    }

    /// The limits as the configuration of a launch has them.
    pub(super) fn chip(self) -> simt::Limits {
        simt::Limits { memory: self.memory, ..simt::Limits::default() }
    }
}

/// Warp-instructions that a launch of `warps` warps may take on the plan's arrays.
pub(super) fn budget(plan: &Plan, warps: u64) -> u64 {
    let bytes: usize = plan.arrays.iter().map(|a| a.bytes()).sum();
    BUDGET
        .saturating_add(BUDGET_PER_WARP.saturating_mul(warps))
        .saturating_add(BUDGET_PER_BYTE.saturating_mul(bytes as u64))
}
