//! Events of asynchronous agents: what runs beside the threads, reads and writes memory later than the
//! instruction that asked for it, and says when it is done.

use super::{AccessKind, Space};
use crate::isa::{GroupKind, Scope};

/// Who performs an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Agent {
    /// `cp.async`: the load-store unit, in the generic proxy.
    CopyAsync,
    /// `st.async` and `red.async`, in the generic proxy.
    StoreAsync,
    /// The bulk copy engine (TMA), in the async proxy.
    BulkCopy,
    /// A tensor core (`wgmma`), in the async proxy.
    TensorCore,
}

impl Agent {
    /// Whether it accesses memory through the async proxy: a thread's accesses before it need a fence.
    pub(crate) fn async_proxy(self) -> bool {
        !matches!(self, Agent::CopyAsync | Agent::StoreAsync)
    }

    /// The word for messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Agent::CopyAsync => "asynchronous copy",
            Agent::StoreAsync => "asynchronous store",
            Agent::BulkCopy => "bulk copy",
            Agent::TensorCore => "product of a warp group",
        }
    }
}

/// An mbarrier: the block whose shared memory it is in, and its offset there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct BarrierId {
    /// The block's number in the grid.
    pub(crate) block: u32,
    pub(crate) offset: u32,
}

/// What tells that an operation is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Channel {
    /// The groups of its thread: this is in the group of that number, counted from 0.
    Group(GroupKind, u32),
    /// A phase of an mbarrier.
    Barrier(BarrierId),
}

/// Bytes that an operation reads or writes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Portion {
    /// The lane that asked for it.
    pub(crate) lane: u8,
    pub(crate) kind: AccessKind,
    pub(crate) space: Space,
    /// Index of the object for global memory; for shared memory the block's number in the grid.
    pub(crate) object: u32,
    /// The storage of that block, for shared memory.
    pub(crate) slot: usize,
    pub(crate) offset: u32,
    pub(crate) bytes: u32,
}

/// An operation, as a warp starts it.
#[derive(Debug)]
pub(crate) struct Issue<'a> {
    /// Its number in this worker, from 1.
    pub(crate) id: u32,
    pub(crate) pc: u32,
    /// The lanes that ask for it.
    pub(crate) lanes: u32,
    pub(crate) agent: Agent,
    pub(crate) channel: Channel,
    /// Reads before writes.
    pub(crate) portions: &'a [Portion],
}

/// What lanes of a warp know to be done.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Awaited {
    /// Their groups before this number; `read`: done reading, perhaps not writing.
    Groups { kind: GroupKind, before: u32, read: bool },
    /// The phases of an mbarrier before this number. What threads of that scope released is acquired.
    Phases { barrier: BarrierId, before: u32, order: Option<Scope> },
    /// A named barrier has opened.
    Named(BarrierId),
}

/// A wrong use of an mbarrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BarrierMisuse {
    /// There is none at this address.
    NotThere,
    /// It is another block's of the cluster, and the operation needs one of the block's own.
    OtherBlock,
    /// An asynchronous store or reduction in a block that has no cluster.
    NoCluster,
    /// An asynchronous reduction in the block's own shared memory.
    OwnBlock,
    /// It is made although threads wait at it, or the phase has begun.
    InUse { pending: u32, expected: u32 },
    /// The number of arrivals is 0, or too large.
    Count(u32),
    /// More threads arrive than the phase waits for.
    TooManyArrivals { arriving: u32, pending: u32 },
    /// More bytes than its counter holds.
    Bytes(i64),
}

/// An mbarrier, as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BarrierState {
    pub(crate) id: BarrierId,
    /// Phases that have ended.
    pub(crate) phase: u32,
    /// Arrivals that the phase waits for.
    pub(crate) pending: u32,
    /// Arrivals of each phase.
    pub(crate) expected: u32,
    /// Bytes that were announced and have not come.
    pub(crate) bytes: i64,
}

/// A tensor copy that cannot be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MapMisuse {
    /// The pointer leads to no tensor map that is aligned to 64 bytes.
    NoMap,
    /// The map has another number of axes than the copy.
    Rank { map: u32, copy: u32 },
    /// The address in shared memory is not a multiple of 128.
    Shared { address: u32 },
    /// The first coordinate is not at a multiple of 16 bytes.
    Coordinate { at: i32 },
    /// A copy to global memory begins before the array along this axis.
    Before { axis: usize, at: i32 },
    /// The map covers more than its array.
    Outside,
    /// Its elements have no such reduction.
    Reduction,
}
