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
    let (phases, words) = match width {
        8 => (2, 2),
        16 => (4, 4),
        _ => (1, 1),
    };
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

#[cfg(test)]
mod tests {
    use super::wavefronts;
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
}
