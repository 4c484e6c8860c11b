//! Whether the lanes of an access lie to each other as the last time, where nothing was known of it
//! before it ran.
//!
//! As with a planned access ([`crate::machine::access::cache`]), what observers find out about how the lanes lie
//! holds for every access of the kind. Here it is the places that are compared, once they are known.

use crate::event::Shape;
use crate::event::Space;
use crate::machine::access::ObjectAccess;
use crate::machine::simd::FULL;

/// The last pattern of an instruction.
#[derive(Debug)]
pub(crate) struct PatternCache {
    number: u64,
    space: Space,
    /// Bytes from the first lane's place to the others', and the extremes.
    places: [u32; 32],
    low: u32,
    high: u32,
    /// Times in a row that something else was seen.
    misses: u32,
}

/// After so many disappointments in a row, a pattern is only looked for now and then.
const PATIENCE: u32 = 4;

/// Gives a group its pattern's number: the last one's, or a new one.
#[inline(never)]
pub(crate) fn recognise(
    near: &mut Option<Box<PatternCache>>,
    group: &mut ObjectAccess,
    last: &mut u64,
) {
    // Who is at one place needs no pattern.
    if group.lanes != FULL || group.shape == Shape::Uniform {
        return;
    }
    let first = group.offsets[0];
    let known = near.get_or_insert_with(|| {
        let (space, places) = (group.space, [0; 32]);
        Box::new(PatternCache { number: 0, space, places, low: 0, high: 0, misses: 0 })
    });
    let both = known.places.iter().zip(&group.offsets);
    let differ = both.fold(0, |differ, (place, at)| differ | (place.wrapping_add(first) ^ at));
    if differ != 0 || known.number == 0 || known.space != group.space {
        known.misses = known.misses.saturating_add(1);
        if known.misses > PATIENCE && !known.misses.is_multiple_of(16) {
            return;
        }
        *last += 1;
        (known.number, known.space) = (*last, group.space);
        known.places = group.offsets.map(|at| at.wrapping_sub(first));
        let (low, high) =
            group.offsets.iter().fold((u32::MAX, 0), |(l, h), &at| (l.min(at), h.max(at)));
        (known.low, known.high) = (low.wrapping_sub(first), high.wrapping_sub(first));
    } else {
        known.misses = 0;
    }
    group.pattern = known.number;
    group.extent = (first.wrapping_add(known.low), first.wrapping_add(known.high));
}
