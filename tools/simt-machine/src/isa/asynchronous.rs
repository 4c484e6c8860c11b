//! The variants of asynchronous copies, their groups, and mbarriers.

use super::operands::Width;
use super::types::lower_case;
use std::ops::Range;

/// What an instruction does to an mbarrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MbarrierOp {
    /// Makes one that waits for so many arrivals in each phase.
    Init,
    /// Ends its life.
    Inval,
    /// So many threads arrive.
    Arrive,
    /// They arrive, and later phases wait for so many fewer.
    ArriveDrop,
    /// Announces bytes of this phase.
    ExpectTx,
    /// Announces bytes, and one thread arrives.
    ArriveExpectTx,
    /// The same, and later phases wait for one fewer.
    ArriveDropExpectTx,
    /// So many bytes have come.
    CompleteTx,
}

impl MbarrierOp {
    /// Whether threads arrive.
    pub fn arrives(self) -> bool {
        !matches!(
            self,
            MbarrierOp::Init | MbarrierOp::Inval | MbarrierOp::ExpectTx | MbarrierOp::CompleteTx
        )
    }

    /// The width of the operand: the number of arrivals or of bytes.
    pub(super) fn operand_width(self) -> Width {
        if self == MbarrierOp::Inval { Width::NONE } else { Width::WORD }
    }
}

/// Operations that a thread commits in groups and waits for by counting groups. Each kind is counted by
/// itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GroupKind {
    /// `cp.async`.
    CopyAsync,
    /// `cp.async.bulk` to global memory.
    Bulk,
    /// `wgmma.mma_async`.
    Matrix,
}

impl GroupKind {
    /// The warps of a block that share the groups of `warp`: whoever waits for them waits for the
    /// operations of all these warps. The products of a warp group are those of four warps.
    pub fn sharing_warps(self, warp: u32) -> Range<u32> {
        match self {
            GroupKind::CopyAsync | GroupKind::Bulk => warp..warp + 1,
            GroupKind::Matrix => warp / 4 * 4..warp / 4 * 4 + 4,
        }
    }
}

/// The memory that a proxy fence orders accesses to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FencedMemory {
    /// Global and shared memory.
    All,
    /// Global memory.
    Global,
    /// The shared memory of the thread's block.
    Block,
    /// The shared memory of all blocks of its cluster.
    Cluster,
}

impl FencedMemory {
    /// Whether shared memory is included.
    pub fn has_shared(self) -> bool {
        self != FencedMemory::Global
    }

    /// Whether global memory is included.
    pub fn has_global(self) -> bool {
        matches!(self, FencedMemory::All | FencedMemory::Global)
    }

    /// What follows `fence.proxy.async` in its name.
    pub fn suffix(self) -> &'static str {
        match self {
            FencedMemory::All => "",
            FencedMemory::Global => ".global",
            FencedMemory::Block => ".shared::cta",
            FencedMemory::Cluster => ".shared::cluster",
        }
    }
}

/// Where a bulk copy leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BulkDirection {
    /// From global to shared memory: completes at an mbarrier there.
    ToShared,
    /// From shared to global memory: completes with its group.
    ToGlobal,
    /// From shared memory to that of a block of the cluster: completes at an mbarrier there.
    ToCluster,
    /// From global memory to the same place in several blocks of the cluster: completes at the mbarrier
    /// at the same place in each. Behind the register of the mbarrier is that of the blocks, a bit each.
    Multicast,
}

impl BulkDirection {
    /// The width of the source's address.
    pub(super) fn source_width(self) -> Width {
        Width::wide(matches!(self, BulkDirection::ToShared | BulkDirection::Multicast))
    }

    /// The width of the destination's address.
    pub(super) fn target_width(self) -> Width {
        Width::wide(self == BulkDirection::ToGlobal)
    }

    /// The width of the mbarrier's address.
    pub(super) fn barrier_width(self) -> Width {
        match self {
            BulkDirection::ToGlobal => Width::NONE,
            BulkDirection::ToShared | BulkDirection::ToCluster => Width::WORD,
            BulkDirection::Multicast => Width::WORD.times(2),
        }
    }
}

lower_case!(MbarrierOp, GroupKind, BulkDirection);
