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
    match g.space {
        Space::Global => {
            let valid = &prepared.objects[g.object as usize].valid;
            if valid.is_empty() {
                return 0;
            }
            empty(g, width, |_, at| valid[at].load(Relaxed))
        }
        Space::Shared => {
            let valid = &block.shared_valid[..];
            let (low, high) = match g.shape {
                Shape::Contiguous if g.lanes == FULL => (g.offsets[0], g.offsets[31]),
                _ => g.extent(),
            };
            let range = low as usize / 4..words(high, width).end;
            // The words in between are mostly written, too.
            if range.len() <= NEAR && all_written(&valid[range]) {
                return 0;
            }
            empty(g, width, |_, at| valid[at])
        }
        Space::Local => {
            let valid = &warp.local_valid[..];
            if g.shape == Shape::Uniform && all_written(&valid[rows(g, width)]) {
                return 0;
            }
            empty(g, width, |lane, at| valid[at * 32 + lane])
        }
    }
}

/// The words of local memory of all lanes, if they access the same place.
#[inline(always)]
fn rows(g: &ObjectAccess, width: u32) -> std::ops::Range<usize> {
    let words = words(g.offsets[0], width);
    words.start * 32..words.end * 32
}

/// Whether all bytes of these words were written. (`all` would check them one by one.)
#[inline(always)]
fn all_written(valid: &[u8]) -> bool {
    let (eights, rest) = valid.as_chunks::<8>();
    let all = eights.iter().fold(u64::MAX, |all, eight| all & u64::from_le_bytes(*eight));
    let rest = rest.iter().fold(0xF, |all, v| all & v);
    all & 0x0F0F_0F0F_0F0F_0F0F == 0x0F0F_0F0F_0F0F_0F0F && rest == 0xF
}

/// The active lanes that cover bytes which are not valid.
#[inline(always)]
fn empty(g: &ObjectAccess, width: u32, valid: impl Fn(usize, usize) -> u8) -> u32 {
    // Mostly there are none. Inactive lanes repeat an active one's offset.
    let have = (0..32).fold(0xF, |have, lane| {
        words(g.offsets[lane], width).fold(have, |have, at| have & valid(lane, at))
    });
    if have == 0xF {
        return 0;
    }
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
    let start = g.offsets[0] as usize;
    let whole = g.lanes == FULL && start.is_multiple_of(4);
    match (g.space, g.shape) {
        (Space::Shared, Shape::Contiguous) if whole => {
            block.shared_valid[start / 4..start / 4 + 8 * width as usize].fill(0xF);
        }
        (Space::Shared, _) => each(g, width, |_, at, have| block.shared_valid[at] |= have),
        (_, Shape::Uniform) if g.lanes == FULL => {
            let have = nibble(g.offsets[0], width);
            warp.local_valid[rows(g, width)].iter_mut().for_each(|valid| *valid |= have);
        }
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
