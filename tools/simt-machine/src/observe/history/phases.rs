//! The phases of a block's mbarriers, and the bulk copies whose bytes count at them.
//!
//! Arrivals are accesses to the mbarrier, which the history has already, and so is each time that a thread
//! asks whether a phase has ended. What the accesses do not show is here: when a copy was done, when a phase
//! ended, and which thread was told so.

use crate::event::{Agent, Awaited, BarrierId, Channel, Issue, WarpContext};

/// The phases and copies of a block. Times are numbers of steps, as everywhere in a history.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Phases {
    /// In the order in which they ended.
    pub ends: Vec<PhaseEnd>,
    /// In the order in which they were issued.
    pub copies: Vec<CountedCopy>,
    /// In the order in which they ended.
    pub waits: Vec<EndedWait>,
}

/// A wait of a warp for a phase that has ended: the warp goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndedWait {
    /// The mbarrier's first byte in the block's shared memory.
    pub mbarrier: u32,
    /// The warp's number in the block.
    pub warp: u32,
    /// The steps that the block had taken.
    pub time: usize,
}

/// The end of a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhaseEnd {
    /// The mbarrier's first byte in the block's shared memory.
    pub mbarrier: u32,
    /// Its number, from 0.
    pub phase: u32,
    /// The steps that the block had taken.
    pub time: usize,
}

/// A bulk copy whose bytes count at an mbarrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedCopy {
    /// The mbarrier's first byte in the block's shared memory.
    pub mbarrier: u32,
    /// The steps that the block had taken when it was issued.
    pub issued: usize,
    /// The same when it was done; `None` where the launch or the recording ended before.
    pub done: Option<usize>,
    id: u32,
}

impl Phases {
    /// An operation starts.
    pub(super) fn issue(&mut self, block: u32, issue: &Issue<'_>, time: usize) {
        let Channel::Barrier(barrier) = issue.channel else { return };
        if issue.agent == Agent::BulkCopy && barrier.block == block {
            let (mbarrier, id) = (barrier.offset, issue.id);
            self.copies.push(CountedCopy { mbarrier, issued: time, done: None, id });
        }
    }

    /// An operation is done.
    pub(super) fn complete(&mut self, id: u32, time: usize) {
        if let Some(copy) = self.copies.iter_mut().rev().find(|copy| copy.id == id) {
            copy.done = Some(time);
        }
    }

    /// Lanes of a warp learn that something is over.
    pub(super) fn awaited(&mut self, context: &WarpContext<'_>, awaited: Awaited, time: usize) {
        if let Awaited::Phases { barrier, .. } = awaited {
            let (mbarrier, warp) = (barrier.offset, context.warp);
            self.waits.push(EndedWait { mbarrier, warp, time });
        }
    }

    /// A phase ends.
    pub(super) fn end(&mut self, barrier: BarrierId, phase: u32, time: usize) {
        self.ends.push(PhaseEnd { mbarrier: barrier.offset, phase, time });
    }
}
