//! Segments: what lanes of a warp do between two synchronisations, as in the first ThreadSanitizer
//! (Serebryany and Iskhodzhanov, WBIA 2009).
//!
//! Segments have increasing numbers. Whether a whole barrier or a whole warp's `__syncwarp` orders two
//! accesses of a block follows from their segments, so these need no vector clock.

use super::shadow::MAX_SEGMENT;

/// How an earlier access relates to the present one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    /// In the same segment: only accesses of the same thread are ordered.
    Same,
    /// Before a `__syncwarp` of the same warp.
    WarpEarlier,
    /// In another segment of the same warp, whose lanes did not all synchronise in between:
    /// [`super::happens_before`] knows which of them are ordered.
    WarpParted,
    /// Before a `__syncthreads`.
    BlockEarlier,
    /// Another warp of the block, since the same `__syncthreads`.
    OtherWarp,
    /// Another block.
    OtherBlock,
}

/// The warp that a segment belongs to, and when.
#[derive(Debug, Clone, Copy)]
struct Segment {
    block: u32,
    phase: u32,
    warp: u32,
    /// Whether it began with a fence, or for some lanes of the warp only.
    parted: bool,
}

/// The segments that may still matter.
#[derive(Debug, Default)]
pub(crate) struct Segments {
    /// The number of the first in `known`.
    base: u32,
    known: Vec<Segment>,
    /// The first segment of each turn of a block, and the block.
    owners: Vec<(u32, u32)>,
    /// Whether all are kept, since fences may order blocks.
    keep: bool,
}

impl Segments {
    pub(crate) fn new(keep: bool) -> Segments {
        Segments { base: 1, keep, ..Segments::default() }
    }

    /// A block starts, and no other is resident: all segments so far belong to other blocks.
    pub(crate) fn forget(&mut self) {
        if !self.keep {
            self.base += self.known.len() as u32;
            self.known.clear();
        }
    }

    pub(crate) fn add(&mut self, segment: u32, block: u32, phase: u32, warp: u32, parted: bool) {
        if segment > MAX_SEGMENT {
            return;
        }
        self.known.push(Segment { block, phase, warp, parted });
        if self.owners.last().is_none_or(|o| o.1 != block) {
            self.owners.push((segment, block));
        }
    }

    fn get(&self, segment: u32) -> Option<&Segment> {
        self.known.get(segment.checked_sub(self.base)? as usize)
    }

    /// How segment `then` relates to segment `now`.
    #[inline(always)]
    pub(crate) fn relation(&self, then: u32, now: u32) -> Relation {
        if then == now {
            return Relation::Same;
        }
        let (Some(a), Some(b)) = (self.get(then), self.get(now)) else {
            return Relation::OtherBlock;
        };
        if a.block != b.block {
            Relation::OtherBlock
        } else if a.phase != b.phase {
            Relation::BlockEarlier
        } else if a.warp != b.warp {
            Relation::OtherWarp
        } else if b.parted || then > now {
            Relation::WarpParted
        } else {
            Relation::WarpEarlier
        }
    }

    /// The block that a segment belongs to.
    pub(crate) fn block(&self, segment: u32) -> u32 {
        let at = self.owners.partition_point(|o| o.0 <= segment);
        at.checked_sub(1).map_or(0, |at| self.owners[at].1)
    }

    /// The barriers that its block had passed, if that is still known.
    pub(crate) fn phase(&self, segment: u32) -> Option<u32> {
        self.get(segment).map(|s| s.phase)
    }
}
