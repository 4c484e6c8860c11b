//! Definedness of memory: one bit per byte says whether it was written, as in Valgrind's Memcheck.

use crate::event::Shape;
use crate::event::Space;
use crate::machine::access::ObjectAccess;
use crate::machine::prepared_kernel::PreparedKernel;
use crate::machine::schedule::block::Block;
use crate::machine::schedule::warp::Warp;
use crate::machine::simd::{FULL, lanes_of};
use std::sync::atomic::Ordering::Relaxed;

/// The bits of a word's bytes that an access of `width` bytes covers.
#[inline(always)]
fn nibble(offset: u32, width: u32) -> u8 {
    if width >= 4 { 0xF } else { ((1u8 << width) - 1) << (offset % 4) }
}

/// The words that a lane's access covers.
#[inline(always)]
fn words(offset: u32, width: u32) -> std::ops::Range<usize> {
    offset as usize / 4..(offset + width).div_ceil(4) as usize
}

/// Ranges of fewer words are checked as a whole first.
const NEAR: usize = 128;

/// The lanes that would read bytes which were not written.
pub(crate) fn unwritten(
    prepared: &PreparedKernel<'_>,
    block: &Block,
    warp: &Warp,
    g: &ObjectAccess,
    width: u32,
) -> u32 {
    let start = g.offsets[0] as usize / 4;
    match g.space {
        Space::Global => {
            let valid = &prepared.objects[g.object as usize].valid;
            if valid.is_empty() {
                return 0;
            }
            empty(g, width, |_, at| valid[at].load(Relaxed))
        }
        Space::Shared if g.shape == Shape::Contiguous && g.lanes == FULL && width == 4 => {
            if all_written(&block.shared_valid[start..start + 32]) {
                return 0;
            }
            empty(g, width, |_, at| block.shared_valid[at])
        }
        Space::Shared if width == 4 => {
            let (low, high) = g.extent();
            let (low, high) = (low as usize / 4, high as usize / 4);
            // The words in between are mostly written, too.
            if high - low < NEAR && all_written(&block.shared_valid[low..=high]) {
                return 0;
            }
            let mut have = 0xF;
            for offset in g.offsets {
                have &= block.shared_valid[offset as usize / 4];
            }
            if have == 0xF { 0 } else { empty(g, width, |_, at| block.shared_valid[at]) }
        }
        Space::Shared => empty(g, width, |_, at| block.shared_valid[at]),
        Space::Local => empty(g, width, |lane, at| warp.local_valid[at * 32 + lane]),
    }
}

/// Whether all bytes of these words were written. (`all` would check them one by one.)
#[inline(always)]
fn all_written(valid: &[u8]) -> bool {
    let (eights, rest) = valid.as_chunks::<8>();
    let all = eights.iter().fold(u64::MAX, |all, eight| all & u64::from_le_bytes(*eight));
    let rest = rest.iter().fold(0xF, |all, v| all & v);
    all & 0x0F0F_0F0F_0F0F_0F0F == 0x0F0F_0F0F_0F0F_0F0F && rest == 0xF
}

#[inline(always)]
fn empty(g: &ObjectAccess, width: u32, valid: impl Fn(usize, usize) -> u8) -> u32 {
    let mut empty = 0;
    for lane in lanes_of(g.lanes) {
        let need = nibble(g.offsets[lane], width);
        for at in words(g.offsets[lane], width) {
            empty |= u32::from(valid(lane, at) & need != need) << lane;
        }
    }
    empty
}

/// Marks bytes as written. Global arrays are marked even without `checked` (observers that need it): a
/// later launch may be checked.
pub(crate) fn mark_written(
    prepared: &PreparedKernel<'_>,
    block: &mut Block,
    warp: &mut Warp,
    g: &ObjectAccess,
    width: u32,
    checked: bool,
) {
    if g.space == Space::Global {
        let valid = &prepared.objects[g.object as usize].valid[..];
        if !valid.is_empty() {
            each(g, width, |_, at, have| {
                if valid[at].load(Relaxed) & have != have {
                    valid[at].fetch_or(have, Relaxed);
                }
            });
        }
        return;
    }
    if !checked {
        return;
    }
    let start = g.offsets[0] as usize / 4;
    match g.space {
        Space::Shared if g.shape == Shape::Contiguous && g.lanes == FULL && width == 4 => {
            block.shared_valid[start..start + 32].fill(0xF);
        }
        Space::Shared => each(g, width, |_, at, have| block.shared_valid[at] |= have),
        _ => each(g, width, |lane, at, have| warp.local_valid[at * 32 + lane] |= have),
    }
}

#[inline(always)]
fn each(g: &ObjectAccess, width: u32, mut mark: impl FnMut(usize, usize, u8)) {
    for lane in lanes_of(g.lanes) {
        let have = nibble(g.offsets[lane], width);
        for at in words(g.offsets[lane], width) {
            mark(lane, at, have);
        }
    }
}
