//! A trace: one warp, step by step. Which lanes were active at which line, and what they accessed.
//!
//! Counters say how much of something happened; a trace shows what it looked like. It follows one warp
//! of one block for a limited number of instructions, which is what a figure can show.
//!
//! A launch that is followed is neither counted nor checked; its results are the same. It is recorded
//! as a [`crate::observe::History`] is, without the variables.

use crate::lanes::lanes_of;
use crate::observe::counters::bank_conflicts;
use crate::observe::history::places::ArrayId;

/// Which warp is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Follow {
    /// The block's number in the grid, x fastest.
    pub block: u32,
    /// The warp's number in the block.
    pub warp: u32,
    /// Instructions after which nothing more is recorded.
    pub steps: usize,
}

/// What a warp did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    /// Its instructions, in the order in which it executed them.
    pub steps: Vec<Step>,
    /// Whether there were more than [`Follow::steps`].
    pub cut: bool,
}

/// One instruction that a warp executed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The line of the translation unit, from 1; 0 if it is in a header.
    pub line: u32,
    /// The active lanes, a bit each.
    pub lanes: u32,
    /// The kind of instruction.
    pub work: Work,
    /// The arrays that it accessed: usually one; none for what is not [`Work::Access`].
    pub touched: Vec<Touched>,
}

/// Kinds of instructions, as a figure distinguishes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// In registers.
    Compute,
    /// A conditional branch.
    Branch,
    /// A load, a store or an atomic.
    Access,
    /// `__syncthreads` and the like.
    Barrier,
    /// Between lanes: a shuffle, a vote, `__syncwarp`.
    Exchange,
    /// Without a source line: convergence, definedness, the end.
    Bookkeeping,
}

/// The memory space of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArraySpace {
    /// In global memory.
    Global,
    /// In constant memory.
    Constant,
    /// In the block's shared memory.
    Shared,
    /// In each thread's own memory.
    Local,
}

/// An access of one instruction to one array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// Its memory space.
    pub space: ArraySpace,
    /// `read`, `write` or `atomic`.
    pub verb: &'static str,
    /// The array's number in its memory space, if the access is to one.
    pub object: Option<u32>,
    /// The array's name.
    pub array: String,
    /// Bytes of one element of the array.
    pub element: u32,
    /// Bytes per lane.
    pub width: u32,
    /// The lanes that access it, a bit each; never 0.
    pub lanes: u32,
    /// For each lane the first byte: from the start of the array in global and constant memory, from the
    /// start of the block's shared or the thread's local memory otherwise. Undefined for lanes that are
    /// not in `lanes`.
    pub offsets: [u32; 32],
    /// The start of the array, on the same scale.
    pub start: u32,
    /// Sectors of 32 bytes in global and constant memory, passes over the banks in shared memory; 0 in
    /// local memory.
    pub transactions: u32,
}

/// A word of shared memory that an access needs: its bank, and the pass that serves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Served {
    /// The pass, from 0.
    pub pass: u32,
    /// The bank, 0 to 31.
    pub bank: u32,
    /// The lanes that access this word.
    pub lanes: u32,
}

impl Touched {
    /// The array.
    pub fn id(&self) -> Option<ArrayId> {
        self.object.map(|object| ArrayId::new(self.space, object))
    }

    /// The lanes with their first bytes, in order.
    pub fn lane_offsets(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        lanes_of(self.lanes).map(|lane| (lane as u32, self.offsets[lane]))
    }

    /// For an access to shared memory: which pass serves which lanes.
    pub fn served(&self) -> Vec<Served> {
        bank_conflicts::served(self.lanes, &self.offsets, self.width)
            .into_iter()
            .map(|(pass, word, lanes)| Served { pass, bank: word & 31, lanes })
            .collect()
    }
}
