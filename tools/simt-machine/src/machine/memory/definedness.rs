//! Definedness of memory: one bit per byte says whether it was written, as in Valgrind's Memcheck.
//!
//! A struct or a union is copied as a whole, whether or not each byte of it has a value: the bytes without
//! one have none in the copy, either. Only a copy of which no byte was written counts as a read. What a copy
//! in registers lacks is not followed.

use crate::event::Shape;
use crate::event::Space;
use crate::isa::CopiedPart;
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

/// Bytes without a value between their load and the store that copies them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UnwrittenCopy {
    /// [`CopiedPart::number`].
    number: u32,
    lane: usize,
    /// A bit per byte of the access.
    bytes: u32,
}

/// Of the lanes that load bytes which were not written, those of which that is to be reported: not of a
/// part of a struct that was written in part.
#[cold]
pub(crate) fn of_copy(
    prepared: &PreparedKernel<'_>,
    block: &Block,
    warp: &mut Warp,
    pc: u32,
    g: &ObjectAccess,
    width: u32,
    unwritten: u32,
) -> u32 {
    let Some(part) = copied(prepared, pc) else { return unwritten };
    let written = |lane: usize, byte: u32| {
        let (at, bit) = (byte as usize / 4, 1 << (byte % 4));
        let valid = match g.space {
            Space::Global => {
                let valid = &prepared.objects[g.object as usize].valid;
                valid.get(at).map_or(0, |valid| valid.load(Relaxed))
            }
            Space::Shared => block.shared_valid.get(at).copied().unwrap_or(0),
            Space::Local => warp.local_valid.get(at * 32 + lane).copied().unwrap_or(0),
        };
        valid & bit != 0
    };
    let (mut whole, mut copies) = (0, Vec::new());
    for lane in lanes_of(unwritten) {
        let own = g.offsets[lane];
        let start = own.saturating_sub(part.offset);
        if !(start..start.saturating_add(part.size)).any(|byte| written(lane, byte)) {
            whole |= 1 << lane;
            continue;
        }
        let lacks = |byte: &u32| !written(lane, own + byte);
        let bytes = (0..width).filter(lacks).fold(0, |bytes, byte| bytes | 1 << byte);
        copies.push(UnwrittenCopy { number: part.number, lane, bytes });
    }
    if part.number != 0 {
        let own =
            |copy: &UnwrittenCopy| copy.number == part.number && g.lanes >> copy.lane & 1 == 1;
        warp.unwritten_copies.retain(|copy| !own(copy));
        warp.unwritten_copies.append(&mut copies);
    }
    whole
}

/// The store of a copy: what had no value where it was loaded has none here.
#[cold]
pub(crate) fn store_unwritten(
    prepared: &PreparedKernel<'_>,
    block: &mut Block,
    warp: &mut Warp,
    pc: u32,
    g: &ObjectAccess,
) {
    let Some(part) = copied(prepared, pc) else { return };
    let Warp { unwritten_copies, local_valid, .. } = warp;
    unwritten_copies.retain(|copy| {
        if copy.number != part.number || g.lanes >> copy.lane & 1 == 0 {
            return true;
        }
        for byte in (0..u32::BITS).filter(|byte| copy.bytes >> byte & 1 == 1) {
            let byte = g.offsets[copy.lane] + byte;
            let (at, others) = (byte as usize / 4, !(1 << (byte % 4)));
            match g.space {
                Space::Global => {
                    if let Some(valid) = prepared.objects[g.object as usize].valid.get(at) {
                        valid.fetch_and(others, Relaxed);
                    }
                }
                Space::Shared => block.shared_valid[at] &= others,
                Space::Local => local_valid[at * 32 + copy.lane] &= others,
            }
        }
        false
    });
}

/// What the instruction copies a part of.
fn copied(prepared: &PreparedKernel<'_>, pc: u32) -> Option<CopiedPart> {
    let all = &prepared.kernel.copied;
    all.binary_search_by_key(&pc, |(at, _)| *at).ok().map(|at| all[at].1)
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
