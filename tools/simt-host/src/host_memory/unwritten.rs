//! Bytes of the host that came from device memory to which nothing was written.
//!
//! A program may copy a whole array of which it uses the part that was written. So the copy is right, and
//! what counts is a read of such a byte on the host. To find one costs the other reads nothing: from its
//! first byte without a value on, such an object is hidden from the fast path, whose bounds check then
//! fails, and the slow path looks here. What copies, prints or writes many bytes at once counts as no use,
//! and ends the watch. The stack is not watched.

use super::{Heap, STACK, number, parts};
use simt::diagnostic::Span;
use simt::isa::MemTy;

/// Reads and writes that may take the slow path; then all objects are as usual.
const MOST_ACCESSES: u32 = 4_000_000;

/// The source of a copy: the name of an array of the device, where it was allocated, and where the copy is.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    pub(crate) array: String,
    pub(crate) made: Span,
    pub(crate) copied: Span,
}

/// The hidden end of an object.
#[derive(Debug)]
struct Hidden {
    object: u64,
    from: u64,
    bytes: Vec<u8>,
    /// A bit per byte: it has no value.
    lacks: Vec<u64>,
    origin: Origin,
}

/// The objects that are watched; mostly none or one.
#[derive(Debug, Default)]
pub(super) struct Watch {
    hidden: Vec<Hidden>,
    accesses: u32,
}

/// What the slow path finds of a scalar's read.
pub(crate) enum Looked {
    Value(u64),
    /// No byte of it has a value.
    Unwritten(u64, Origin),
}

impl Heap {
    /// Watches bytes that were copied to an address; `held` says which of them have a value.
    pub(crate) fn watch(&mut self, at: u64, held: &[bool], origin: impl FnOnce() -> Origin) {
        let (object, offset) = parts(at);
        self.unwatch(object);
        let Some(first) = held.iter().position(|held| !held) else { return };
        if object == STACK || self.watch.accesses >= MOST_ACCESSES {
            return;
        }
        let Some(allocation) = self.allocations.get_mut(number(object)) else { return };
        let from = offset + first as u64;
        let bytes = allocation.bytes.split_off(from as usize);
        let mut lacks = vec![0; bytes.len().div_ceil(64)];
        for (at, _) in held[first..].iter().enumerate().filter(|(_, held)| !**held) {
            lacks[at / 64] |= 1 << (at % 64);
        }
        self.watch.hidden.push(Hidden { object, from, bytes, lacks, origin: origin() });
    }

    /// An object is as usual again.
    #[inline]
    pub(crate) fn unwatch(&mut self, object: u64) {
        if !self.watch.hidden.is_empty() {
            self.reveal(object);
        }
    }

    #[cold]
    fn reveal(&mut self, object: u64) {
        if let Some(at) = self.watch.hidden.iter().position(|hidden| hidden.object == object) {
            let hidden = self.watch.hidden.swap_remove(at);
            self.allocations[number(object)].bytes.extend(hidden.bytes);
        }
    }

    /// How many bytes of an object are hidden.
    pub(super) fn hidden(&self, object: u64) -> u64 {
        let found = self.watch.hidden.iter().find(|hidden| hidden.object == object);
        found.map_or(0, |hidden| hidden.bytes.len() as u64)
    }

    /// A scalar's read from an object that is watched, whole among its hidden bytes. A first use of bytes
    /// without a value ends the watch.
    pub(crate) fn look(&mut self, at: u64, ty: MemTy) -> Option<Looked> {
        let (hidden, from) = self.found(at, ty)?;
        let value = super::read(&hidden.bytes, from as u64, ty)?;
        let mut own = from..from + ty.bytes() as usize;
        if !own.all(|at| hidden.lacks[at / 64] >> (at % 64) & 1 == 1) {
            return Some(Looked::Value(value));
        }
        let (object, origin) = (hidden.object, hidden.origin.clone());
        self.reveal(object);
        Some(Looked::Unwritten(value, origin))
    }

    /// A scalar's write, likewise: the bytes have a value then.
    pub(crate) fn put_watched(&mut self, at: u64, ty: MemTy, value: u64) -> Option<()> {
        let (hidden, from) = self.found(at, ty)?;
        super::write(&mut hidden.bytes, from as u64, ty, value)?;
        for at in from..from + ty.bytes() as usize {
            hidden.lacks[at / 64] &= !(1 << (at % 64));
        }
        Some(())
    }

    /// The hidden bytes that an access is in, and where. An access across their begin, or one too many,
    /// ends the watch.
    fn found(&mut self, at: u64, ty: MemTy) -> Option<(&mut Hidden, usize)> {
        let (object, offset) = parts(at);
        let place = self.watch.hidden.iter().position(|hidden| hidden.object == object)?;
        self.watch.accesses += 1;
        let hidden = &self.watch.hidden[place];
        let end = offset.checked_add(u64::from(ty.bytes()))?;
        if end > hidden.from + hidden.bytes.len() as u64 {
            return None;
        }
        if offset < hidden.from || self.watch.accesses >= MOST_ACCESSES {
            self.reveal(object);
            return None;
        }
        let from = (offset - hidden.from) as usize;
        Some((&mut self.watch.hidden[place], from))
    }
}
