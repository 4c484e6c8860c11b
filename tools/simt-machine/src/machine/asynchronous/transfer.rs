//! Copies of bytes between global and shared memory, with their definedness.

use crate::event::{AccessKind, Portion, Space};
use crate::isa::{AtomicOp, Ty};
use crate::machine::interpreter::Interpreter;
use crate::machine::memory::atomic;
use crate::machine::memory::{BIAS, OBJECT_SHIFT, shared_window};
use crate::machine::prepared_kernel::{PreparedKernel, Target};
use crate::machine::schedule::block::Block;
use crate::machine::schedule::cluster::{owner, owner_mut};
use std::sync::atomic::Ordering::Relaxed;

/// A place in memory: an offset in a global object, or in the shared memory of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Global { object: u32, offset: u32 },
    Shared { block: u32, offset: u32 },
}

/// Bytes to copy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Transfer {
    pub(crate) from: Place,
    pub(crate) to: Place,
    /// Bytes that are written.
    pub(crate) bytes: u32,
    /// Of these, the bytes that are read.
    pub(crate) read: u32,
    /// The others are the bytes of this word.
    pub(crate) fill: u32,
    /// What becomes of an element on its way.
    pub(crate) change: Change,
}

/// What becomes of an element on its way.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Change {
    Nothing,
    /// A float of 32 bits is rounded to TF32.
    RoundToTf32,
    /// It is combined with what is there; subnormal floats may be taken for zero, and made zero.
    Reduce {
        op: AtomicOp,
        ty: Ty,
        flush: bool,
    },
}

impl Transfer {
    /// All bytes are read.
    pub(super) fn whole(from: Place, to: Place, bytes: u32, change: Change) -> Transfer {
        Transfer { from, to, bytes, read: bytes, fill: 0, change }
    }

    /// Bytes that are not read are zero.
    pub(super) fn zeroed(from: Place, to: Place, bytes: u32, read: u32) -> Transfer {
        Transfer { from, to, bytes, read, fill: 0, change: Change::Nothing }
    }

    /// Nothing is read.
    pub(super) fn filled(to: Place, bytes: u32, fill: u32) -> Transfer {
        Transfer { from: to, to, bytes, read: 0, fill, change: Change::Nothing }
    }
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

    /// What a 32-bit address of a block leads to, if so many bytes lie there.
    pub(super) fn shared(
        prepared: &PreparedKernel<'_>,
        block: u32,
        address: u32,
        bytes: u32,
    ) -> Option<Place> {
        let (block, offset) = shared_window::owner(prepared, block, address, bytes)?;
        Some(Place::Shared { block, offset })
    }

    /// The same place, further on.
    pub(super) fn plus(self, bytes: u32) -> Place {
        self.at(self.offset() + bytes)
    }

    /// Its offset.
    pub(super) fn offset(self) -> u32 {
        let (Place::Global { offset, .. } | Place::Shared { offset, .. }) = self;
        offset
    }

    /// Another offset there.
    pub(super) fn at(self, offset: u32) -> Place {
        match self {
            Place::Global { object, .. } => Place::Global { object, offset },
            Place::Shared { block, .. } => Place::Shared { block, offset },
        }
    }

    /// The same offset in the shared memory of another block.
    pub(super) fn in_block(self, number: u32) -> Place {
        match self {
            Place::Shared { offset, .. } => Place::Shared { block: number, offset },
            Place::Global { .. } => self,
        }
    }

    /// Whether a word begins there.
    fn is_word(self) -> bool {
        self.offset().is_multiple_of(4)
    }

    /// An access to it, for observers.
    pub(super) fn portion(
        self,
        (prepared, block): (&PreparedKernel<'_>, &Block),
        lane: usize,
        kind: AccessKind,
        bytes: u32,
    ) -> Portion {
        let (space, object, offset) = match self {
            Place::Global { object, offset } => (Space::Global, object, offset),
            Place::Shared { block, offset } => (Space::Shared, block, offset),
        };
        let slot = match space {
            Space::Shared => prepared.cluster.slot(block.linear, block.slot, object),
            _ => block.slot,
        };
        Portion { lane: lane as u8, kind, space, object, slot, offset, bytes }
    }
}

/// The generic pointer to a 32-bit address, for messages.
pub(super) fn generic(prepared: &PreparedKernel<'_>, address: u32) -> u64 {
    shared_window::generic(prepared, address)
}

/// Copies.
pub(super) fn perform(vm: &mut Interpreter<'_>, block: &mut Block, t: &Transfer) {
    if let Change::Reduce { op, ty, flush } = t.change {
        let width = element_bytes(ty);
        for at in (0..t.bytes).step_by(width as usize) {
            let (value, _) = read(vm, block, t.from.plus(at), width);
            combine(vm, block, t.to.plus(at), (op, ty, flush), value);
        }
        return;
    }
    let mut at = 0;
    while at < t.bytes {
        // Words where both sides are aligned, else bytes.
        let aligned = t.from.plus(at).is_word() && t.to.plus(at).is_word();
        let whole = aligned && at + 4 <= t.bytes && (at + 4 <= t.read || at >= t.read);
        let width = if whole { 4 } else { 1 };
        let (value, valid) = match at < t.read {
            true => read(vm, block, t.from.plus(at), width),
            false => ((t.fill >> (t.to.plus(at).offset() % 4 * 8)).into(), 0xF),
        };
        let value = match t.change {
            Change::RoundToTf32 if at < t.read => tf32(value as u32).into(),
            _ => value,
        };
        write(vm, block, t.to.plus(at), width, value, valid);
        at += width;
    }
}

/// Writes values, or combines them with what is there. Returns how many bytes they have.
pub(super) fn put(
    vm: &mut Interpreter<'_>,
    block: &mut Block,
    to: Place,
    values: &[u64],
    (ty, reduce): (Ty, Option<AtomicOp>),
) -> u32 {
    let mut at = 0;
    for &value in values {
        let op = reduce.unwrap_or(AtomicOp::Exch);
        combine(vm, block, to.plus(at), (op, ty, false), value);
        at += element_bytes(ty);
    }
    at
}

/// 128 bytes, as a tensor map has.
pub(super) fn read_bytes(vm: &Interpreter<'_>, block: &Block, at: Place) -> [u8; 128] {
    let mut out = [0; 128];
    for (offset, to) in (0u32..).step_by(4).zip(out.chunks_mut(4)) {
        let (word, _) = read(vm, block, at.plus(offset), 4);
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
fn read(vm: &Interpreter<'_>, block: &Block, at: Place, width: u32) -> (u64, u8) {
    let word = |index: usize| match at {
        Place::Global { object, .. } => {
            let object = vm.prepared.objects[object as usize];
            let valid = object.valid.get(index).map_or(0xF, |valid| valid.load(Relaxed));
            (object.words[index].load(Relaxed), valid)
        }
        Place::Shared { block: number, .. } => {
            let owner = owner(block, &vm.peers, number);
            (owner.shared[index], owner.shared_valid[index])
        }
    };
    let offset = at.offset();
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
    vm: &mut Interpreter<'_>,
    block: &mut Block,
    at: Place,
    width: u32,
    value: u64,
    valid: u8,
) {
    let offset = at.offset();
    let (index, shift) = (offset as usize / 4, offset % 4);
    let bits = (((1u64 << (width * 8)) - 1) as u32) << (shift * 8);
    let bytes = ((1u8 << width) - 1) << shift;
    let new = |old: u32| old & !bits | (value as u32) << (shift * 8) & bits;
    let written = |old: u8| old & !bytes | valid << shift & bytes;
    match at {
        Place::Global { object, .. } => {
            let object = vm.prepared.objects[object as usize];
            let _ = object.words[index].fetch_update(Relaxed, Relaxed, |old| Some(new(old)));
            if let Some(known) = object.valid.get(index) {
                let _ = known.fetch_update(Relaxed, Relaxed, |old| Some(written(old)));
            }
        }
        Place::Shared { block: number, .. } => {
            let owner = owner_mut(block, &mut vm.peers, number);
            owner.shared[index] = new(owner.shared[index]);
            owner.shared_valid[index] = written(owner.shared_valid[index]);
        }
    }
}

/// Combines an element with what is there.
fn combine(
    vm: &mut Interpreter<'_>,
    block: &mut Block,
    at: Place,
    (op, ty, flush): (AtomicOp, Ty, bool),
    value: u64,
) {
    let width = element_bytes(ty);
    let (old, _) = read(vm, block, at, width);
    let flushed = |x: u64| if flush && x & 0x7F80_0000 == 0 { x & 0x8000_0000 } else { x };
    let new = flushed(atomic::apply(op, ty, flushed(old), flushed(value), 0));
    for part in (0..width).step_by(4) {
        write(vm, block, at.plus(part), width.min(4), new >> (part * 8), 0xF);
    }
}

/// A float rounded to the 10 bits of TF32, to nearest, ties to even. A NaN becomes the one that is all ones.
fn tf32(x: u32) -> u32 {
    match f32::from_bits(x).is_nan() {
        true => 0x7FFF_E000,
        false => x.wrapping_add(0xFFF + (x >> 13 & 1)) & !0x1FFF,
    }
}
