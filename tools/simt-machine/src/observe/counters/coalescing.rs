//! Coalescing: how many sectors of 32 bytes a warp's access to global memory touches.
//!
//! A load or a store touches each sector once, however many lanes access it. An atomic goes to memory
//! in turns, and touches a sector in each turn that has a lane there. There are four slots, and the
//! address of a 128-byte line decides its slot. In one turn a slot serves one line, that of the first
//! lane that is left; of several lanes with the same word of the slot only the first is considered, so
//! a lane may wait for another line. This was measured on an H200: the recordings of the micro-kernels
//! agree to the last sector.

use super::warp_aggregation::WarpAggregation;
use crate::event::{Access, AccessKind, Shape};
use crate::lanes::lanes_of;

/// Sectors that the active lanes touch.
pub(crate) fn sectors(aggregations: &[WarpAggregation], access: &Access<'_>) -> u32 {
    match access.kind {
        AccessKind::Load | AccessKind::Store => distinct(access),
        _ if aggregations[access.pc as usize].holds(access.lanes) => 1,
        _ if access.shape == Shape::Contiguous => distinct(access),
        _ => turns(access),
    }
}

/// What each bit of an address, from bit 7 on, contributes to the slot of its line. Beyond 1 MiB the
/// slots are unknown, and the bits contribute nothing.
const SLOTS: [u32; 13] = [1, 2, 1, 2, 3, 1, 2, 3, 2, 1, 2, 1, 3];

/// The slot, 0 to 3, of a line. Arrays begin in slot 0.
fn slot(line: u32) -> usize {
    let bits = SLOTS.iter().enumerate().filter(|(bit, _)| line >> bit & 1 != 0);
    bits.fold(0, |slot, (_, adds)| slot ^ adds) as usize
}

/// The sectors of each turn.
fn turns(access: &Access<'_>) -> u32 {
    let mut left = access.lanes;
    let mut total = 0;
    let slots = access.offsets.map(|offset| slot(offset / 128));
    while left != 0 {
        // For each slot the line, the words that were considered, and the sectors.
        let (mut lines, mut words, mut sectors) = ([None; 4], [0u32; 4], 0u32);
        for lane in lanes_of(left) {
            let (offset, slot) = (access.offsets[lane], slots[lane]);
            let line = *lines[slot].get_or_insert(offset / 128);
            let word = 1 << (offset / 4 % 32);
            if words[slot] & word == 0 {
                words[slot] |= word;
                if line == offset / 128 {
                    sectors |= 1 << (slot as u32 * 4 + offset / 32 % 4);
                    left &= !(1 << lane);
                }
            }
        }
        total += sectors.count_ones();
    }
    total
}

/// Distinct sectors of the active lanes.
fn distinct(access: &Access<'_>) -> u32 {
    if access.shape == Shape::Uniform && access.width <= 32 {
        return 1;
    }
    if access.shape == Shape::Contiguous && access.lanes == u32::MAX {
        return (access.offsets[31] + access.width - 1) / 32 - access.offsets[0] / 32 + 1;
    }
    let mut seen = [0u32; 32];
    let mut count = 0;
    let mut total = 0;
    // Lanes usually ascend; then equal sectors are neighbours.
    let mut last = None;
    let mut ascending = true;
    for lane in lanes_of(access.lanes) {
        let sector = access.offsets[lane] / 32;
        if last != Some(sector) {
            if last.is_some_and(|l| sector < l) {
                ascending = false;
            }
            seen[count] = sector;
            count += 1;
            last = Some(sector);
        }
    }
    if ascending {
        total += count as u32;
    } else {
        let some = &mut seen[..count];
        some.sort_unstable();
        total += 1 + some.windows(2).filter(|w| w[0] != w[1]).count() as u32;
    }
    total
}
