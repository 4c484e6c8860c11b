//! Bank conflicts: the number of passes of a warp's access to shared memory.
//!
//! There are 32 banks of 4 bytes. Lanes that access the same word share it; different words of one bank
//! take one pass each. A 64-bit access is served in two halves of the warp, a 128-bit one in four
//! quarters. The two halves (or the two quarters of each half) are served together if every lane of the
//! warp accesses the same word as its neighbour, or every lane the same as the next but one: a
//! broadcast of 16 bytes takes two passes, not four. Such a rule holds for the whole warp or not at all.
//! This was measured on an H200: see the recordings of the tiled products with vector loads, and of the
//! micro-kernels.
//!
//! A conflict is a pass beyond the ideal, which is the bytes of a group's distinct words divided by 128.

use crate::event::{Access, Shape};
use crate::lanes::lanes_of;

/// The passes of an access, and the fewest with which the same words could be served.
pub(crate) fn wavefronts(access: &Access<'_>) -> (u32, u32) {
    if access.width <= 4 && access.shape != Shape::Scattered {
        return (1, 1);
    }
    passes_and_ideal(access.lanes, access.offsets, access.width)
}

/// The lanes whose compare-and-swap succeeds, of those that try: one per bank; with 64 bits, one per
/// pair of banks and half of the warp, and one per address.
pub(crate) fn swapped(access: &Access<'_>) -> u32 {
    let mut through = 0;
    let bank = |lane: usize| access.offsets[lane] / access.width % (128 / access.width);
    for lane in lanes_of(access.lanes) {
        let apart = |other: usize| access.width == 8 && lane / 16 != other / 16;
        let taken = lanes_of(through).any(|other| {
            access.offsets[lane] == access.offsets[other]
                || !apart(other) && bank(lane) == bank(other)
        });
        through |= u32::from(!taken) << lane;
    }
    through
}

/// The passes of lanes that access `width` bytes at `offsets`, and the ideal.
fn passes_and_ideal(lanes: u32, offsets: &[u32; 32], width: u32) -> (u32, u32) {
    let words = width.div_ceil(4);
    let mut passes = 0;
    let mut ideal = 0;
    for group in groups(lanes, offsets, width) {
        // Distinct words per bank, as linked lists.
        let mut seen = [0u32; 32];
        let mut chain = [[u8::MAX; 2]; 32];
        let mut heads = [u8::MAX; 32];
        let mut depth = [0u8; 32];
        let mut count = 0usize;
        let mut deepest = 0;
        for lane in lanes_of(group) {
            for part in 0..words {
                let word = offsets[lane] / 4 + part;
                let bank = (word & 31) as usize;
                let mut at = heads[bank];
                while at != u8::MAX && seen[usize::from(at)] != word {
                    at = chain[usize::from(at)][0];
                }
                if at != u8::MAX {
                    continue;
                }
                seen[count] = word;
                chain[count][0] = heads[bank];
                heads[bank] = count as u8;
                depth[bank] += 1;
                deepest = deepest.max(depth[bank]);
                count += 1;
            }
        }
        passes += u32::from(deepest);
        ideal += (count as u32).div_ceil(32);
    }
    (passes, ideal.max(1))
}

/// Every distinct word of an access: the pass that serves it, its number, and its lanes.
///
/// These are the passes that are counted, one by one.
pub(crate) fn served(lanes: u32, offsets: &[u32; 32], width: u32) -> Vec<(u32, u32, u32)> {
    let words = width.div_ceil(4);
    let mut all: Vec<(u32, u32, u32)> = Vec::new();
    let mut first_pass = 0;
    for group in groups(lanes, offsets, width) {
        let start = all.len();
        let mut depth = [0; 32];
        for lane in lanes_of(group) {
            for part in 0..words {
                let word = offsets[lane] / 4 + part;
                if let Some(known) = all[start..].iter_mut().find(|s| s.1 == word) {
                    known.2 |= 1 << lane;
                    continue;
                }
                let bank = (word & 31) as usize;
                all.push((first_pass + depth[bank], word, 1 << lane));
                depth[bank] += 1;
            }
        }
        first_pass += depth.into_iter().max().unwrap_or(0);
    }
    all
}

/// The groups of lanes that are served one after the other, none of them empty.
fn groups(lanes: u32, offsets: &[u32; 32], width: u32) -> impl Iterator<Item = u32> {
    // Lanes that are served together if they agree, and in parts of `size` otherwise.
    let (together, size) = match width {
        8 => (32, 16),
        16 => (16, 8),
        _ => (32, 32),
    };
    let mask = |from: u32, count: u32| ((((1u64 << count) - 1) << from) as u32) & lanes;
    let agree = |distance: usize| {
        lanes_of(lanes).all(|lane| {
            let other = lane ^ distance;
            lanes & (1 << other) == 0 || offsets[lane] == offsets[other]
        })
    };
    let one = size == together || agree(1) || agree(2);
    let mut all = [0u32; 4];
    for (slot, from) in (0..32).step_by(size as usize).enumerate() {
        let whole = mask(from / together * together, together);
        all[slot] = match (one, from % together) {
            (true, 0) => whole,
            (true, _) => 0,
            (false, _) => mask(from, size),
        };
    }
    all.into_iter().filter(|group| *group != 0)
}

#[cfg(test)]
mod tests {
    use super::{passes_and_ideal, served};
    use std::array::from_fn;

    /// Words at a stride: the textbook table.
    #[test]
    fn strides_conflict_by_their_common_divisor_with_32() {
        for stride in 1..=33u32 {
            let power = 1 << stride.trailing_zeros().min(5);
            let offsets = from_fn(|l| l as u32 * stride * 4);
            assert_eq!(passes_and_ideal(u32::MAX, &offsets, 4), (power, 1), "stride {stride}");
        }
        assert_eq!(passes_and_ideal(u32::MAX, &[64; 32], 4), (1, 1), "one word for all");
        assert_eq!(
            passes_and_ideal(0xFFFF, &from_fn(|l| l as u32 * 128), 4),
            (16, 1),
            "half of the lanes"
        );
    }

    #[test]
    fn wide_accesses_are_served_in_parts() {
        assert_eq!(
            passes_and_ideal(u32::MAX, &from_fn(|l| l as u32 * 8), 8),
            (2, 2),
            "double in a row"
        );
        assert_eq!(
            passes_and_ideal(u32::MAX, &from_fn(|l| l as u32 * 16), 16),
            (4, 4),
            "float4 in a row: no conflict"
        );
        assert_eq!(
            passes_and_ideal(u32::MAX, &from_fn(|l| l as u32 * 16), 8),
            (4, 2),
            "double at stride 2"
        );
        assert_eq!(
            passes_and_ideal(u32::MAX, &from_fn(|l| l as u32), 1),
            (1, 1),
            "chars share words"
        );
    }

    /// As in the tiled products: see their recordings.
    #[test]
    fn a_broadcast_of_wide_words_is_served_in_half_the_parts() {
        let rows = from_fn(|l| l as u32 / 16 * 16);
        assert_eq!(passes_and_ideal(u32::MAX, &rows, 16), (2, 2), "two float4s for all");
        assert_eq!(
            passes_and_ideal(u32::MAX, &from_fn(|l| l as u32 / 2 * 16), 16),
            (2, 2),
            "by pairs"
        );
        assert_eq!(
            passes_and_ideal(u32::MAX, &from_fn(|l| l as u32 % 16 * 16), 16),
            (4, 4),
            "a row"
        );
        assert_eq!(
            passes_and_ideal(u32::MAX, &from_fn(|l| l as u32 % 16 * 32), 16),
            (8, 4),
            "spread"
        );
        assert_eq!(passes_and_ideal(u32::MAX, &[8; 32], 8), (1, 1), "one double for all");
    }

    #[test]
    fn every_pass_that_is_counted_can_be_laid_out() {
        let mut seed = 1u32;
        let mut draw = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed >> 8
        };
        for round in 0..2000 {
            let width = [1, 2, 4, 8, 16][round % 5];
            let (lanes, reach) = (draw() | draw() << 16 | 1, 1 << (draw() % 10));
            let offsets = from_fn(|_| draw() % reach * width);
            let laid_out = served(lanes, &offsets, width);
            let passes = laid_out.iter().map(|s| s.0 + 1).max().unwrap();
            assert_eq!(passes, passes_and_ideal(lanes, &offsets, width).0);
            let mut places: Vec<_> = laid_out.iter().map(|s| (s.0, s.1 & 31)).collect();
            places.sort_unstable();
            assert!(places.windows(2).all(|w| w[0] != w[1]), "a bank serves one word a pass");
            assert_eq!(laid_out.iter().fold(0, |all, s| all | s.2), lanes);
        }
    }
}
