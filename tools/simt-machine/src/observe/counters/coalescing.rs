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
const SLOTS: [u8; 13] = [1, 2, 1, 2, 3, 1, 2, 3, 2, 1, 2, 1, 3];

/// The contributions of the lower 7 of these bits, and of the upper 6.
static PARTS: [[u8; 128]; 2] = [contributions(0), contributions(7)];

const fn contributions(first: usize) -> [u8; 128] {
    let mut all = [0; 128];
    let mut line = 1;
    while line < all.len() {
        let bit = line.trailing_zeros() as usize;
        let adds = if first + bit < SLOTS.len() { SLOTS[first + bit] } else { 0 };
        all[line] = all[line & (line - 1)] ^ adds;
        line += 1;
    }
    all
}

/// The slot, 0 to 3, of a line. Arrays begin in slot 0.
#[inline(always)]
fn slot(line: u32) -> usize {
    let (low, high) = (line as usize % 128, line as usize / 128 % 128);
    usize::from(PARTS[0][low] ^ PARTS[1][high])
}

/// The sectors of each turn. No slot waits for another one, so each is served by itself.
fn turns(access: &Access<'_>) -> u32 {
    let (mut lanes, mut counts) = ([[0u32; 32]; 4], [0; 4]);
    // For each slot a bit per line, by the line's last digits, and whether two lanes met at a bit.
    let (mut lines, mut met) = ([0u64; 4], [0; 4]);
    for lane in lanes_of(access.lanes) {
        let offset = access.offsets[lane];
        let slot = slot(offset / 128);
        lanes[slot][counts[slot]] = offset;
        counts[slot] += 1;
        let line = 1 << (offset / 512 % 64);
        met[slot] |= lines[slot] & line;
        lines[slot] |= line;
    }
    let turns = |slot: usize| match (met[slot], counts[slot]) {
        // Each lane has a line for itself, and so a turn.
        (0, count) => count as u32,
        (_, count) => turns_of_slot(&mut lanes[slot][..count]),
    };
    (0..4).map(turns).sum()
}

/// How many bits are set in each number of four bits: a digit each. (Not each processor counts bits.)
const BITS: u64 = 0x4332_3221_3221_2110;

/// The sectors of each turn of a slot. `left`: the offsets of its lanes, in order.
fn turns_of_slot(mut left: &mut [u32]) -> u32 {
    let mut total = 0u64;
    while let [first, ..] = *left {
        let line = first / 128;
        // The words that were considered, and the sectors. Which lanes are served is hard to foresee,
        // so there is no branch.
        let (mut words, mut sectors, mut stay) = (0u32, 0u32, 0);
        for at in 0..left.len() {
            let offset = left[at];
            let word = 1 << (offset / 4 % 32);
            let served = words & word == 0 && offset / 128 == line;
            words |= word;
            sectors |= u32::from(served) << (offset / 32 % 4);
            left[stay] = offset;
            stay += usize::from(!served);
        }
        total += BITS >> (sectors * 4) & 0xF;
        left = &mut left[..stay];
    }
    total as u32
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Space;
    use crate::isa::Scope;

    /// The turns as the head of this file describes them, all slots at once.
    fn by_the_rule(lanes: u32, offsets: &[u32; 32]) -> u32 {
        let slot = |line: u32| (0..13).fold(0, |s, bit| s ^ (SLOTS[bit] * (line >> bit & 1) as u8));
        let (mut left, mut total) = (lanes, 0);
        while left != 0 {
            let (mut lines, mut words, mut sectors) = ([None; 4], [0u32; 4], Vec::new());
            for lane in lanes_of(left) {
                let offset = offsets[lane];
                let slot = usize::from(slot(offset / 128));
                let line = *lines[slot].get_or_insert(offset / 128);
                let word = 1 << (offset / 4 % 32);
                if words[slot] & word == 0 && line == offset / 128 {
                    sectors.push(offset / 32);
                    left &= !(1 << lane);
                }
                words[slot] |= word;
            }
            sectors.sort_unstable();
            sectors.dedup();
            total += sectors.len() as u32;
        }
        total
    }

    /// Few words, so that lanes wait for each other, and many, beyond 1 MiB.
    #[test]
    fn turns_of_scattered_atomics() {
        let mut x = 1u32;
        for words in [2, 33, 100, 1_000, 20_000, 1_000_000] {
            for _ in 0..500 {
                let mut draw = || {
                    x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    x >> 8
                };
                let lanes = draw() << 8 | draw() & 0xFF | 1;
                let offsets = [0; 32].map(|_: u32| draw() % words * 4);
                let access = Access {
                    pc: 0,
                    kind: AccessKind::Reduction,
                    scope: Scope::Device,
                    volatile: false,
                    compares: None,
                    first: true,
                    space: Space::Global,
                    object: 0,
                    lanes,
                    shape: Shape::Scattered,
                    pattern: 0,
                    offsets: &offsets,
                    width: 4,
                    stored: None,
                    unwritten: 0,
                    shared: &[],
                };
                assert_eq!(turns(&access), by_the_rule(lanes, &offsets), "{lanes:x} {offsets:?}");
            }
        }
    }
}
