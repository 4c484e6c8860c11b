//! Access patterns: the distances between the lanes' addresses, cached per instruction.
//!
//! A loop accesses memory in strides, and every warp does so alike: relative to the first lane, the
//! other lanes are where they were the last time. A pattern has a number, under which observers cache
//! what they computed for it ([`Access::pattern`](crate::event::Access::pattern)): bank conflicts, say.

use crate::event::{Shape, Space};
use crate::machine::access::ObjectAccess;
use crate::machine::simd::{FULL, Row};

/// Misses in a row after which a new pattern is learned at every 16th miss only.
const PATIENCE: u32 = 4;

/// The last pattern of an instruction.
#[derive(Debug)]
pub(super) struct Pattern {
    /// A number that no other pattern of the launch has. 0: nothing was learned yet.
    pub(super) number: u64,
    /// Bytes from the first lane's offset to each lane's; the lowest and the highest.
    pub(super) distances: Row,
    pub(super) low: i64,
    pub(super) high: i64,
    /// Misses in a row.
    misses: u32,
}

impl Pattern {
    pub(super) fn new() -> Pattern {
        Pattern { number: 0, distances: Row([0; 32]), low: 0, high: 0, misses: 0 }
    }

    /// It was seen again.
    #[inline(always)]
    pub(super) fn hit(&mut self) {
        self.misses = 0;
    }

    /// Another one was seen, with all lanes active: learns it, unless there were too many misses.
    /// `last`: the last number given to a pattern.
    pub(super) fn learn(&mut self, access: &mut ObjectAccess, last: &mut u64) -> bool {
        self.misses = self.misses.saturating_add(1);
        if self.misses > PATIENCE && !self.misses.is_multiple_of(16) {
            return false;
        }
        *last += 1;
        self.number = *last;
        let first = access.offsets[0];
        self.distances = Row(access.offsets.map(|offset| offset.wrapping_sub(first)));
        (self.low, self.high) = extremes(&access.offsets);
        self.apply(access);
        true
    }

    /// Notes the pattern in an access that has it.
    pub(super) fn apply(&self, access: &mut ObjectAccess) {
        access.pattern = self.number;
        access.extent = self.extent(access.offsets[0]);
    }

    /// The lowest and the highest offset, by the first lane's.
    #[inline(always)]
    pub(super) fn extent(&self, first: u32) -> (u32, u32) {
        (first.wrapping_add(self.low as u32), first.wrapping_add(self.high as u32))
    }
}

/// How far the lowest and the highest value are from the first one.
pub(super) fn extremes(row: &[u32; 32]) -> (i64, i64) {
    let (low, high) = row.iter().fold((u32::MAX, 0), |(low, high), x| (low.min(*x), high.max(*x)));
    (i64::from(low) - i64::from(row[0]), i64::from(high) - i64::from(row[0]))
}

/// The last pattern of an access to an object that is not known before the launch.
#[derive(Debug)]
pub(crate) struct UnplannedPattern {
    pattern: Pattern,
    space: Space,
}

/// Gives an access its pattern's number: the last one's, or a new one.
#[inline(never)]
pub(super) fn recognise(
    cache: &mut Option<Box<UnplannedPattern>>,
    access: &mut ObjectAccess,
    last: &mut u64,
) {
    // A uniform access needs no pattern.
    if access.lanes != FULL || access.shape == Shape::Uniform {
        return;
    }
    let space = access.space;
    let known =
        cache.get_or_insert_with(|| Box::new(UnplannedPattern { pattern: Pattern::new(), space }));
    let first = access.offsets[0];
    let both = known.pattern.distances.0.iter().zip(&access.offsets);
    let differ =
        both.fold(0, |differ, (distance, offset)| differ | (distance.wrapping_add(first) ^ offset));
    if differ == 0 && known.pattern.number != 0 && known.space == space {
        known.pattern.hit();
        known.pattern.apply(access);
    } else if known.pattern.learn(access, last) {
        known.space = space;
    }
}
