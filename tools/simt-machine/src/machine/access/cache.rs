//! How the lanes' places of an access lie to each other, remembered from one time to the next.
//!
//! A loop goes over memory in strides, and every warp of every block does it alike: seen from the
//! first lane, the others are where they were before. So the differences of the indices are
//! compared with those of the last time, and where they are the same, the first lane says it all:
//! whether everybody is inside, how the data lies, and (by the pattern's number) what observers
//! found out about it.

#![allow(clippy::needless_range_loop, reason = "a lane's number indexes several rows")]

pub(crate) mod unplanned;

use crate::event::Shape;
use crate::machine::access::ObjectAccess;
use crate::machine::access::plan::{LaneStride, Plan};
use crate::machine::simd::{FULL, Mask, Registers, Row};

/// How the words lie that a warp loads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LoadShape {
    /// All lanes load the same word.
    Uniform,
    /// Lane `i` loads word `i`.
    Contiguous,
    /// Each half of the warp is contiguous (its bit is set) or uniform.
    Halves(u8),
    /// Each quarter of the warp likewise.
    Quarters(u8),
    /// None of these.
    Scattered,
}

/// What is remembered of an access.
#[derive(Debug)]
pub(crate) struct Pattern {
    pub(crate) plan: Plan,
    /// Whether somebody has to hear of it.
    pub(crate) told: bool,
    /// 0: nothing yet.
    pub(crate) number: u64,
    pub(crate) way: LoadShape,
    shape: Shape,
    /// For each index the least that the first lane's may be with all lanes' between 0 and
    /// [`Term::most`](super::plan::Term::most), and how far it may go from there.
    least: [u32; 2],
    room: [u32; 2],
    /// The same for the sum of the indices' bytes, that everybody be inside.
    least_bytes: i64,
    room_bytes: u64,
    /// Where in the space that sum is counted from.
    origin: u32,
    /// For each index how the lanes differ from the first one.
    steps: [Row; 2],
    /// Bytes from the first lane's place to the others', and the extremes.
    pub(crate) places: Row,
    low: i64,
    high: i64,
    /// Times in a row that something else was seen.
    misses: u32,
}

/// After so many disappointments in a row, a pattern is only looked for now and then.
const PATIENCE: u32 = 4;

impl Pattern {
    pub(crate) fn new(plan: Plan, told: bool) -> Pattern {
        Pattern {
            plan,
            told,
            number: 0,
            way: LoadShape::Scattered,
            shape: Shape::Scattered,
            least: [0; 2],
            room: [u32::MAX; 2],
            least_bytes: 0,
            origin: plan.start.wrapping_add(plan.offset as u32),
            room_bytes: 0,
            steps: [Row([0; 32]); 2],
            places: Row([0; 32]),
            low: 0,
            high: 0,
            misses: 0,
        }
    }

    /// If all lanes are active and lie as before, and inside: the first lane's place in the space.
    #[inline(always)]
    pub(crate) fn matches(&self, r: &Registers, m: &Mask) -> Option<u32> {
        if m.bits != FULL || self.number == 0 {
            return None;
        }
        let bytes = self.bytes(0, r)? + self.bytes(1, r)?;
        // Both are at most what is inside for one alone, so nothing leaves 64 bits.
        let inside = (bytes as i64).wrapping_sub(self.least_bytes) as u64 <= self.room_bytes;
        inside.then_some(self.origin.wrapping_add(bytes as u32))
    }

    /// What the first lane's index comes to, if the others' differ from it as before.
    #[inline(always)]
    fn bytes(&self, i: usize, r: &Registers) -> Option<u64> {
        let term = &self.plan.terms[i];
        let row = r.whole(term.index);
        let first = row.0[0];
        let inside = first.wrapping_sub(self.least[i]) <= self.room[i];
        if !inside || (term.vary == LaneStride::Varying && !row.follows(first, &self.steps[i])) {
            return None;
        }
        Some(u64::from(first) * u64::from(term.scale))
    }

    /// The places of a pattern that begins at `first`.
    #[inline(always)]
    pub(crate) fn group(&self, first: u32) -> ObjectAccess {
        let plan = &self.plan;
        ObjectAccess {
            space: plan.space,
            object: plan.object,
            lanes: FULL,
            first: true,
            shape: self.shape,
            pattern: self.number,
            extent: (first.wrapping_add(self.low as u32), first.wrapping_add(self.high as u32)),
            offsets: self.places.plus(first),
        }
    }

    /// Remembers how the lanes lie, under a number that nothing else has.
    pub(crate) fn learn(&mut self, r: &Registers, group: &mut ObjectAccess, last: &mut u64) {
        let plan = &self.plan;
        self.misses = self.misses.saturating_add(1);
        if self.misses > PATIENCE && !self.misses.is_multiple_of(16) {
            return;
        }
        *last += 1;
        (self.number, group.pattern) = (*last, *last);
        for l in 0..32 {
            self.places.0[l] = group.offsets[l].wrapping_sub(group.offsets[0]);
        }
        (self.low, self.high) = extremes(&self.places.0);
        self.least_bytes = -i64::from(plan.offset) - self.low;
        self.room_bytes = (i64::from(plan.limit) - self.high + self.low) as u64;
        for (i, term) in plan.terms.iter().enumerate() {
            if term.vary != LaneStride::Absent {
                let row = r.row(term.index);
                for l in 0..32 {
                    self.steps[i].0[l] = row[l].wrapping_sub(row[0]);
                }
                // All lanes are inside, so all of their indices were between 0 and the most.
                let (low, high) = extremes(&self.steps[i].0);
                self.least[i] = (-low) as u32;
                self.room[i] = (i64::from(term.most) - high + low) as u32;
            }
        }
        group.extent = (
            group.offsets[0].wrapping_add(self.low as u32),
            group.offsets[0].wrapping_add(self.high as u32),
        );
        self.shape = group.shape;
        self.way = match group.shape {
            Shape::Uniform => LoadShape::Uniform,
            Shape::Contiguous => LoadShape::Contiguous,
            Shape::Scattered => match (
                halves_or_quarters::<16>(&self.places.0),
                halves_or_quarters::<8>(&self.places.0),
            ) {
                (Some(rows), _) => LoadShape::Halves(rows),
                (None, Some(rows)) => LoadShape::Quarters(rows),
                (None, None) => LoadShape::Scattered,
            },
        };
    }

    /// It was seen again.
    #[inline(always)]
    pub(crate) fn again(&mut self) {
        self.misses = 0;
    }
}

fn extremes(row: &[u32; 32]) -> (i64, i64) {
    row.iter().fold((0, 0), |(low, high), &x| {
        let x = i64::from(x as i32);
        (x.min(low), x.max(high))
    })
}

/// Which of the parts of `N` lanes lie in a row, a bit each; the others must be at one place.
fn halves_or_quarters<const N: usize>(places: &[u32; 32]) -> Option<u8> {
    let mut rows = 0;
    for (i, part) in places.as_chunks::<N>().0.iter().enumerate() {
        if part.iter().all(|p| *p == part[0]) {
            continue;
        }
        if (0..N).any(|l| part[l] != part[0].wrapping_add(l as u32 * 4)) {
            return None;
        }
        rows |= 1 << i;
    }
    Some(rows)
}

/// The places of the active lanes, if all of them are inside.
#[inline(always)]
pub(crate) fn resolve(plan: &Plan, r: &Registers, m: &Mask, width: u32) -> Option<ObjectAccess> {
    let lanes = &m.lanes.0;
    let mut offsets = [plan.offset as u32; 32];
    let mut outside = 0;
    for term in &plan.terms {
        if term.vary == LaneStride::Absent {
            continue;
        }
        let row = r.row(term.index);
        for l in 0..32 {
            offsets[l] = offsets[l].wrapping_add(row[l].wrapping_mul(term.scale));
            outside |= u32::from(row[l] > term.most).wrapping_neg() & lanes[l];
        }
    }
    let first = offsets[m.first()];
    let begin = first.wrapping_sub(m.first() as u32 * width);
    let (mut row, mut one) = (0, 0);
    for l in 0..32 {
        let own = (offsets[l] & lanes[l]) | (first & !lanes[l]);
        outside |= u32::from(own > plan.limit).wrapping_neg();
        row |= (own ^ begin.wrapping_add(l as u32 * width)) & lanes[l];
        one |= own ^ first;
        offsets[l] = own.wrapping_add(plan.start);
    }
    if outside != 0 {
        return None;
    }
    let shape = match (row, one) {
        (0, _) => Shape::Contiguous,
        (_, 0) => Shape::Uniform,
        _ => Shape::Scattered,
    };
    Some(ObjectAccess {
        space: plan.space,
        object: plan.object,
        lanes: m.bits,
        first: true,
        shape,
        pattern: 0,
        extent: (0, 0),
        offsets,
    })
}
