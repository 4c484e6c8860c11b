//! Bank conflicts: in how many passes a warp's access to shared memory is served.
//!
//! There are 32 banks of 4 bytes. Lanes that want the same word share it; different words of one
//! bank take a pass each. A 64-bit access is served in two halves of the warp, a 128-bit one in
//! four quarters. What could not be done in fewer passes is no conflict: a conflict is a pass
//! beyond the bytes of distinct words divided by 128.

use super::event::{Access, Shape};
use crate::machine::simd::lanes_of;

/// Counts passes.
#[derive(Debug, Default)]
pub(crate) struct Memo {}

impl Memo {
    /// Passes, and the fewest in which the same words could have been served.
    pub(crate) fn wavefronts(&mut self, access: &Access<'_>) -> (u32, u32) {
        if access.width == 4 && access.shape != Shape::Any {
            return (1, 1);
        }
        wavefronts(access.lanes, access.offsets, access.width)
    }
}

/// Passes for lanes that access `width` bytes at `offsets`, and the ideal.
fn wavefronts(lanes: u32, offsets: &[u32; 32], width: u32) -> (u32, u32) {
    let (phases, words) = parts(width);
    let mut passes = 0;
    let mut distinct = 0;
    let size = 32 / phases;
    for phase in 0..phases {
        let group = lanes & (((1u64 << size) - 1) << (phase * size)) as u32;
        if group == 0 {
            continue;
        }
        // Distinct words, by bank: a chain of those seen in each.
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
        distinct += count as u32;
    }
    (passes, (distinct * 4).div_ceil(128).max(1))
}

/// Every distinct word that is wanted: the pass that serves it, its number, and who wants it.
///
/// The same passes as those that are counted, laid out one by one.
pub(super) fn served(lanes: u32, offsets: &[u32; 32], width: u32) -> Vec<(u32, u32, u32)> {
    let (phases, words) = parts(width);
    let size = 32 / phases;
    let mut all: Vec<(u32, u32, u32)> = Vec::new();
    let mut first_pass = 0;
    for phase in 0..phases {
        let start = all.len();
        let mut depth = [0; 32];
        for lane in lanes_of(lanes & (((1u64 << size) - 1) << (phase * size)) as u32) {
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

/// In how many parts of the warp an access is served, and the words that each lane wants.
fn parts(width: u32) -> (u32, u32) {
    match width {
        8 => (2, 2),
        16 => (4, 4),
        _ => (1, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::{served, wavefronts};
    use std::array::from_fn;

    /// Words at a stride: the classic table.
    #[test]
    fn strides_conflict_by_their_common_divisor_with_32() {
        for stride in 1..=33u32 {
            let power = 1 << stride.trailing_zeros().min(5);
            let offsets = from_fn(|l| l as u32 * stride * 4);
            assert_eq!(wavefronts(u32::MAX, &offsets, 4), (power, 1), "stride {stride}");
        }
        assert_eq!(wavefronts(u32::MAX, &[64; 32], 4), (1, 1), "one word for all");
        assert_eq!(
            wavefronts(0xFFFF, &from_fn(|l| l as u32 * 128), 4),
            (16, 1),
            "half of the lanes"
        );
    }

    #[test]
    fn wide_accesses_are_served_in_parts() {
        assert_eq!(wavefronts(u32::MAX, &from_fn(|l| l as u32 * 8), 8), (2, 2), "double in a row");
        assert_eq!(
            wavefronts(u32::MAX, &from_fn(|l| l as u32 * 16), 16),
            (4, 4),
            "float4 in a row: no conflict"
        );
        assert_eq!(
            wavefronts(u32::MAX, &from_fn(|l| l as u32 * 16), 8),
            (4, 2),
            "double at stride 2"
        );
        assert_eq!(wavefronts(u32::MAX, &from_fn(|l| l as u32), 1), (1, 1), "chars share words");
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
            assert_eq!(passes, wavefronts(lanes, &offsets, width).0);
            let mut places: Vec<_> = laid_out.iter().map(|s| (s.0, s.1 & 31)).collect();
            places.sort_unstable();
            assert!(places.windows(2).all(|w| w[0] != w[1]), "a bank serves one word a pass");
            assert_eq!(laid_out.iter().fold(0, |all, s| all | s.2), lanes);
        }
    }
}
