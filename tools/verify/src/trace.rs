//! Follows a warp of a kernel file, or all warps of a block, line by line and lane by lane, for figures.
//! Nothing is judged or cached: tracing one block at the page's size is quick.

pub use crate::backend::sim::{trace as follow, trace_block};
pub use simt::Record;
pub use simt::observe::{
    ArraySpace, CountedCopy, EndedWait, Follow, PhaseEnd, Phases, Served, Step, Touched, Trace,
    Work,
};

/// What all warps of a block did.
#[derive(Debug, Clone)]
pub struct BlockSteps {
    /// Each step with its warp, in the order of execution.
    pub steps: Vec<(u32, Step)>,
    /// The phases of its mbarriers, timed in these steps.
    pub phases: Phases,
}
