//! An asynchronous operation: who issued it, what it does, and who is told when it is done.

use super::transfer::{Place, Transfer};
use crate::event::{Agent, Channel};
use crate::isa::{AtomicOp, Ty};

/// An operation that was issued and is not complete.
#[derive(Debug)]
pub(crate) struct Operation {
    /// Its number in this worker, from 1; set by [`issue`](super::queue::issue).
    pub(crate) id: u32,
    pub(crate) agent: Agent,
    /// The warp that issued it, its block, and its lanes.
    pub(crate) block: u32,
    pub(crate) warp: u32,
    pub(crate) lanes: u32,
    pub(crate) pc: u32,
    pub(crate) channel: Channel,
    pub(crate) work: Work,
}

/// What it does when it completes.
#[derive(Debug)]
pub(crate) enum Work {
    /// Copies; then as many bytes have come at its mbarrier, if it has one.
    Copy(Vec<Transfer>),
    /// Writes values, or combines each with what is there; then their bytes have come at its mbarrier.
    Store(Place, Vec<u64>, Ty, Option<AtomicOp>),
    /// `cp.async.mbarrier.arrive`: each of the lanes arrives, behind its earlier `cp.async`.
    Arrive,
    /// `wgmma`: it was computed at the issue, and is done reading.
    Product,
}
