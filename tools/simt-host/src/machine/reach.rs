//! The memory that host code reaches: its stack and its objects, each access checked.

use super::{Machine, MemTy, Ran, parts};
use crate::memory::{self, room, room_mut};
use std::ops::Range;

impl Machine<'_> {
    #[inline(always)]
    pub(crate) fn load(&mut self, at: u64, ty: MemTy) -> Ran<u64> {
        match room(&self.heap.rooms, at).and_then(|(bytes, at)| memory::read(bytes, at, ty)) {
            Some(value) => Ok(value),
            None => self.load_elsewhere(at, ty),
        }
    }

    #[inline(always)]
    pub(crate) fn store(&mut self, at: u64, ty: MemTy, value: u64) -> Ran<()> {
        let found = room_mut(&mut self.heap.rooms, at);
        match found.and_then(|(bytes, at)| memory::write(bytes, at, ty, value)) {
            Some(()) => Ok(()),
            None => self.store_elsewhere(at, ty, value),
        }
    }

    /// Bytes of the host, to read.
    pub(crate) fn bytes(&mut self, at: u64, count: u64) -> Ran<&[u8]> {
        match self.stretch(at, count, false) {
            Some((room, range)) => Ok(&self.heap.rooms[room].bytes[range]),
            None => Err(self.refused(at, "read")),
        }
    }

    /// Bytes of the host, to write.
    pub(crate) fn bytes_mut(&mut self, at: u64, count: u64) -> Ran<&mut [u8]> {
        match self.stretch(at, count, true) {
            Some((room, range)) => Ok(&mut self.heap.rooms[room].bytes[range]),
            None => Err(self.refused(at, "write")),
        }
    }

    /// Where bytes of the host lie, if all of them may be accessed: in which room, and where there.
    pub(crate) fn stretch(
        &self,
        at: u64,
        count: u64,
        write: bool,
    ) -> Option<(usize, Range<usize>)> {
        let (object, offset) = parts(at);
        let number = memory::number(object);
        let room = self.heap.rooms.get(number)?;
        let end = offset.checked_add(count).filter(|end| *end <= room.bytes.len() as u64)?;
        (!write || !room.fixed).then_some((number, offset as usize..end as usize))
    }
}
