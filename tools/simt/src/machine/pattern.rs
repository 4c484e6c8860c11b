//! How the lanes' places of an access lie to each other, remembered from one time to the next.
//!
//! A loop goes over memory in strides, and every warp of every block does it alike: seen from the
//! first lane, the others are where they were before. So the differences of the indices are
//! compared with those of the last time, and where they are the same, the first lane says it all:
//! whether everybody is inside, how the data lies, and (by the pattern's number) what observers
//! found out about it.

#![allow(clippy::needless_range_loop, reason = "a lane's number indexes several rows")]

use super::access::Group;
use super::plan::{Plan, Vary};
use super::simd::{FULL, Mask, Registers, Row};
use crate::observe::Shape;

/// How the words lie that a warp loads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// All lanes want one place.
    One,
    /// One behind the other.
    Row,
    /// Each eight lanes in a row (a bit set), or all eight at one place.
    Eights(u8),
    /// In no order.
    Any,
}

/// What is remembered of an access.
#[derive(Debug)]
pub(super) struct Pattern {
    /// 0: nothing yet.
    pub(super) number: u64,
    pub(super) way: Way,
    shape: Shape,
    /// For each index how the lanes differ from the first one, and the extremes.
    steps: [Row; 2],
    lows: [i64; 2],
    highs: [i64; 2],
    /// Bytes from the first lane's place to the others', and the extremes.
    pub(super) places: Row,
    low: i64,
    high: i64,
    /// Times in a row that something else was seen.
    misses: u32,
}

/// After so many disappointments in a row, a pattern is only looked for now and then.
const PATIENCE: u32 = 4;

impl Pattern {
    pub(super) fn new() -> Pattern {
        Pattern {
            number: 0,
            way: Way::Any,
            shape: Shape::Any,
            steps: [Row([0; 32]); 2],
            lows: [0; 2],
            highs: [0; 2],
            places: Row([0; 32]),
            low: 0,
            high: 0,
            misses: 0,
        }
    }

    /// If all lanes are active and lie as before, and inside: the first lane's place in the space.
    #[inline(always)]
    pub(super) fn matches(&self, plan: &Plan, r: &Registers, m: &Mask) -> Option<u32> {
        if m.bits != FULL || self.number == 0 {
            return None;
        }
        let at = i64::from(plan.offset) + self.bytes(0, plan, r)? + self.bytes(1, plan, r)?;
        let inside = at + self.low >= 0 && at + self.high <= i64::from(plan.limit);
        inside.then_some(plan.start.wrapping_add(at as u32))
    }

    /// What the first lane's index comes to, if the others' differ from it as before.
    #[inline(always)]
    fn bytes(&self, i: usize, plan: &Plan, r: &Registers) -> Option<i64> {
        let term = &plan.terms[i];
        if term.vary == Vary::Absent {
            return Some(0);
        }
        let row = r.row(term.index);
        let first = i64::from(row[0] as i32);
        let inside = first + self.lows[i] >= 0 && first + self.highs[i] <= i64::from(i32::MAX);
        let alike = term.vary == Vary::Steady || !differ(row, &self.steps[i].0);
        (inside && alike).then_some(first * i64::from(term.scale))
    }

    /// The places of a pattern that begins at `first`.
    #[inline(always)]
    pub(super) fn group(&self, plan: &Plan, first: u32) -> Group {
        let mut offsets = [0; 32];
        for l in 0..32 {
            offsets[l] = self.places.0[l].wrapping_add(first);
        }
        Group {
            space: plan.space,
            object: plan.object,
            lanes: FULL,
            first: true,
            shape: self.shape,
            pattern: self.number,
            extent: (first.wrapping_add(self.low as u32), first.wrapping_add(self.high as u32)),
            offsets,
        }
    }

    /// Remembers how the lanes lie, under a number that nothing else has.
    pub(super) fn learn(&mut self, plan: &Plan, r: &Registers, group: &mut Group, last: &mut u64) {
        self.misses = self.misses.saturating_add(1);
        if self.misses > PATIENCE && !self.misses.is_multiple_of(16) {
            return;
        }
        *last += 1;
        (self.number, group.pattern) = (*last, *last);
        for (i, term) in plan.terms.iter().enumerate() {
            if term.vary != Vary::Absent {
                let row = r.row(term.index);
                for l in 0..32 {
                    self.steps[i].0[l] = row[l].wrapping_sub(row[0]);
                }
                (self.lows[i], self.highs[i]) = extremes(&self.steps[i].0);
            }
        }
        for l in 0..32 {
            self.places.0[l] = group.offsets[l].wrapping_sub(group.offsets[0]);
        }
        (self.low, self.high) = extremes(&self.places.0);
        group.extent = (
            group.offsets[0].wrapping_add(self.low as u32),
            group.offsets[0].wrapping_add(self.high as u32),
        );
        self.shape = group.shape;
        self.way = match group.shape {
            Shape::One => Way::One,
            Shape::Row => Way::Row,
            Shape::Any => eights(&self.places.0),
        };
    }

    /// It was seen again.
    #[inline(always)]
    pub(super) fn again(&mut self) {
        self.misses = 0;
    }
}

/// Whether the lanes differ from the first one otherwise than by `steps`.
#[inline(always)]
fn differ(row: &[u32; 32], steps: &[u32; 32]) -> bool {
    // Hidden from the compiler, which else picks the row apart to save a comparison with itself.
    let first = std::hint::black_box(row[0]);
    let mut wrong = 0;
    for l in 0..32 {
        wrong |= row[l] ^ steps[l].wrapping_add(first);
    }
    wrong != 0
}

fn extremes(row: &[u32; 32]) -> (i64, i64) {
    row.iter().fold((0, 0), |(low, high), &x| {
        let x = i64::from(x as i32);
        (x.min(low), x.max(high))
    })
}

fn eights(places: &[u32; 32]) -> Way {
    let (parts, _) = places.as_chunks::<8>();
    let mut rows = 0;
    for (i, part) in parts.iter().enumerate() {
        if part.iter().all(|p| *p == part[0]) {
            continue;
        }
        if (0..8).any(|l| part[l] != part[0].wrapping_add(l as u32 * 4)) {
            return Way::Any;
        }
        rows |= 1 << i;
    }
    Way::Eights(rows)
}

/// The places of the active lanes, if all of them are inside.
#[inline(always)]
pub(super) fn resolve(plan: &Plan, r: &Registers, m: &Mask, width: u32) -> Option<Group> {
    let lanes = &m.lanes.0;
    let mut offsets = [plan.offset as u32; 32];
    let mut outside = 0;
    for term in &plan.terms {
        if term.vary == Vary::Absent {
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
        (0, _) => Shape::Row,
        (_, 0) => Shape::One,
        _ => Shape::Any,
    };
    Some(Group {
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
