//! What a run may cost.
//!
//! A launch that goes on for much longer than its size explains counts as endless. Whoever waits
//! for the answer may allow less than that, of steps for all launches together and of memory.

use crate::plan::Plan;
use crate::reference::OPERATIONS;

/// Warp-instructions that any launch may take before it counts as endless ...
const BUDGET: u64 = 10_000_000;

/// ... for each of its warps so many more ...
const BUDGET_PER_WARP: u64 = 10_000;

/// ... and so many for each byte of its arrays: few warps may walk through much data.
const BUDGET_PER_BYTE: u64 = 2;

/// Warps that a launch may have: eight threads for each number of 2^28, and more than a minute
/// of simulating even if they do nothing.
pub(super) const WARPS: u64 = 1 << 26;

/// What a run may cost at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Warp-instructions of all launches together; each of the reference's may take as many again.
    pub steps: u64,
    /// Warp-instructions that evaluating the reference for all of an output may cost; of a dearer
    /// one a sample is checked.
    pub reference: u64,
    /// Bytes of all arrays together (what watches them takes several times that), and bytes that
    /// a launch needs besides.
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: u64::MAX, reference: OPERATIONS, memory: 1 << 30 }
    }
}

impl Limits {
    /// As a launch takes them.
    pub(super) fn chip(self) -> simt::Limits {
        simt::Limits { memory: self.memory, ..simt::Limits::default() }
    }
}

/// Warp-instructions that a launch of so many warps may take on the plan's arrays.
pub(super) fn budget(plan: &Plan, warps: u64) -> u64 {
    let bytes: usize = plan.arrays.iter().map(|a| a.bytes()).sum();
    BUDGET
        .saturating_add(BUDGET_PER_WARP.saturating_mul(warps))
        .saturating_add(BUDGET_PER_BYTE.saturating_mul(bytes as u64))
}
