//! Copies of bytes between global and shared memory, with their definedness.

use crate::event::{AccessKind, Portion, Space};
use crate::isa::{AtomicOp, Ty};
use crate::machine::interpreter::Interpreter;
use crate::machine::memory::atomic;
use crate::machine::memory::{BIAS, OBJECT_SHIFT, shared_window};
use crate::machine::prepared_kernel::{PreparedKernel, Target};
use crate::machine::schedule::block::Block;
use std::sync::atomic::Ordering::Relaxed;

/// A place in memory: an offset in a global object, or in the block's shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Global { object: u32, offset: u32 },
    Shared { offset: u32 },
}

/// Bytes to copy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Transfer {
    pub(crate) from: Place,
    pub(crate) to: Place,
    /// Bytes that are written.
    pub(crate) bytes: u32,
    /// Of these, the bytes that are read; the others are zero.
    pub(crate) read: u32,
    /// How each element is combined with what is there.
    pub(crate) reduce: Option<(AtomicOp, Ty)>,
}

impl Place {
    /// What a generic pointer to global memory leads to, if so many bytes lie there.
    pub(super) fn global(prepared: &PreparedKernel<'_>, pointer: u64, bytes: u32) -> Option<Place> {
        let number = pointer >> OBJECT_SHIFT;
        let offset = pointer.wrapping_sub((number << OBJECT_SHIFT) | BIAS);
        let inside = |size: u32| offset + u64::from(bytes) <= u64::from(size);
        match prepared.target(number)? {
            Target::Global(object, size) if offset < 1 << 32 && inside(size) => {
                Some(Place::Global { object, offset: offset as u32 })
            }
            Target::Heap(object, start, size) if offset < 1 << 32 && inside(size) => {
                Some(Place::Global { object, offset: start + offset as u32 })
            }
            _ => None,
        }
    }

    /// What a 32-bit address leads to, if so many bytes lie there.
    pub(super) fn shared(prepared: &PreparedKernel<'_>, address: u32, bytes: u32) -> Option<Place> {
        let end = u64::from(address) + u64::from(bytes);
        (end <= u64::from(prepared.shared_bytes)).then_some(Place::Shared { offset: address })
    }

    /// The same place, further on.
    pub(super) fn plus(self, bytes: u32) -> Place {
        match self {
            Place::Global { object, offset } => Place::Global { object, offset: offset + bytes },
            Place::Shared { offset } => Place::Shared { offset: offset + bytes },
        }
    }

    /// Whether a word begins there.
    fn is_word(self) -> bool {
        let (Place::Global { offset, .. } | Place::Shared { offset }) = self;
        offset.is_multiple_of(4)
    }

    /// An access to it, for observers.
    pub(super) fn portion(
        self,
        block: &Block,
        lane: usize,
        kind: AccessKind,
        bytes: u32,
    ) -> Portion {
        let (space, object, offset) = match self {
            Place::Global { object, offset } => (Space::Global, object, offset),
            Place::Shared { offset } => (Space::Shared, block.linear, offset),
        };
        Portion { lane: lane as u8, kind, space, object, slot: block.slot, offset, bytes }
    }
}

/// The generic pointer to a 32-bit address, for messages.
pub(super) fn generic(prepared: &PreparedKernel<'_>, address: u32) -> u64 {
    shared_window::generic(prepared, address)
}

/// Copies.
pub(super) fn perform(vm: &mut Interpreter<'_>, block: &mut Block, t: &Transfer) {
    if let Some((op, ty)) = t.reduce {
        let width = element_bytes(ty);
        for at in (0..t.bytes).step_by(width as usize) {
            let (value, _) = read(vm.prepared, block, t.from.plus(at), width);
            combine(vm.prepared, block, t.to.plus(at), (op, ty), value);
        }
        return;
    }
    let mut at = 0;
    while at < t.bytes {
        // Words where both sides are aligned, else bytes.
        let aligned = t.from.plus(at).is_word() && t.to.plus(at).is_word();
        let whole = aligned && at + 4 <= t.bytes && (at + 4 <= t.read || at >= t.read);
        let width = if whole { 4 } else { 1 };
        let (value, valid) =
            if at < t.read { read(vm.prepared, block, t.from.plus(at), width) } else { (0, 0xF) };
        write(vm.prepared, block, t.to.plus(at), width, value, valid);
        at += width;
    }
}

/// 128 bytes, as a tensor map has.
pub(super) fn read_bytes(prepared: &PreparedKernel<'_>, block: &Block, at: Place) -> [u8; 128] {
    let mut out = [0; 128];
    for (offset, to) in (0u32..).step_by(4).zip(out.chunks_mut(4)) {
        let (word, _) = read(prepared, block, at.plus(offset), 4);
        to.copy_from_slice(&(word as u32).to_le_bytes());
    }
    out
}

/// Bytes of an element of a bulk reduction.
pub(super) fn element_bytes(ty: Ty) -> u32 {
    match ty {
        Ty::F16 | Ty::Bf16 => 2,
        _ if ty.slots() == 2 => 8,
        _ => 4,
    }
}

/// Bytes, in the low bits, and a bit for each that was written.
fn read(prepared: &PreparedKernel<'_>, block: &Block, at: Place, width: u32) -> (u64, u8) {
    let word = |index: usize| match at {
        Place::Global { object, .. } => {
            let object = prepared.objects[object as usize];
            let valid = object.valid.get(index).map_or(0xF, |valid| valid.load(Relaxed));
            (object.words[index].load(Relaxed), valid)
        }
        Place::Shared { .. } => (block.shared[index], block.shared_valid[index]),
    };
    let (Place::Global { offset, .. } | Place::Shared { offset }) = at;
    let (low, valid) = word(offset as usize / 4);
    match width {
        8 => {
            let (high, also) = word(offset as usize / 4 + 1);
            (u64::from(low) | u64::from(high) << 32, valid | also << 4)
        }
        4 => (low.into(), valid),
        _ => {
            let mask = (1 << width) - 1;
            let value = u64::from(low) >> (offset % 4 * 8) & ((1 << (width * 8)) - 1);
            (value, valid >> (offset % 4) & mask)
        }
    }
}

/// Writes up to four bytes that lie in one word.
fn write(
    prepared: &PreparedKernel<'_>,
    block: &mut Block,
    at: Place,
    width: u32,
    value: u64,
    valid: u8,
) {
    let (Place::Global { offset, .. } | Place::Shared { offset }) = at;
    let (index, shift) = (offset as usize / 4, offset % 4);
    let bits = (((1u64 << (width * 8)) - 1) as u32) << (shift * 8);
    let bytes = ((1u8 << width) - 1) << shift;
    let new = |old: u32| old & !bits | (value as u32) << (shift * 8) & bits;
    let written = |old: u8| old & !bytes | valid << shift & bytes;
    match at {
        Place::Global { object, .. } => {
            let object = prepared.objects[object as usize];
            let _ = object.words[index].fetch_update(Relaxed, Relaxed, |old| Some(new(old)));
            if let Some(known) = object.valid.get(index) {
                let _ = known.fetch_update(Relaxed, Relaxed, |old| Some(written(old)));
            }
        }
        Place::Shared { .. } => {
            block.shared[index] = new(block.shared[index]);
            block.shared_valid[index] = written(block.shared_valid[index]);
        }
    }
}

/// Combines an element with what is there.
fn combine(
    prepared: &PreparedKernel<'_>,
    block: &mut Block,
    at: Place,
    (op, ty): (AtomicOp, Ty),
    value: u64,
) {
    let width = element_bytes(ty);
    let (old, _) = read(prepared, block, at, width);
    let new = atomic::apply(op, ty, old, value, 0);
    for part in (0..width).step_by(4) {
        write(prepared, block, at.plus(part), width.min(4), new >> (part * 8), 0xF);
    }
}
