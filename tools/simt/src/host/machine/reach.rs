//! The memory that host code reaches: its stack and its objects, each access checked.

use super::{Machine, Maker, MemTy, Ran, STACK, parts};
use std::ops::Range;

impl Machine<'_> {
    #[inline(always)]
    pub(in crate::host) fn load(&mut self, at: u64, ty: MemTy) -> Ran<u64> {
        let found = super::quick::load(&self.stack, &self.heap, at, ty);
        match found {
            Some(value) => Ok(value),
            None => self.load_elsewhere(at, ty),
        }
    }

    #[inline(always)]
    pub(in crate::host) fn store(&mut self, at: u64, ty: MemTy, value: u64) -> Ran<()> {
        let found = super::quick::store(&mut self.stack, &mut self.heap, at, ty, value);
        match found {
            Some(()) => Ok(()),
            None => self.store_elsewhere(at, ty, value),
        }
    }

    /// Bytes of the host, to read.
    pub(in crate::host) fn bytes(&mut self, at: u64, count: u64) -> Ran<&[u8]> {
        let Some((object, range)) = self.stretch(at, count, false) else {
            return Err(self.refused(at, "read"));
        };
        let found = self.heap.get(object).map_or(&self.stack[..], |o| &o.bytes);
        Ok(if object == STACK { &self.stack[range] } else { &found[range] })
    }

    /// Bytes of the host, to write.
    pub(in crate::host) fn bytes_mut(&mut self, at: u64, count: u64) -> Ran<&mut [u8]> {
        let Some((object, range)) = self.stretch(at, count, true) else {
            return Err(self.refused(at, "write"));
        };
        if object == STACK {
            return Ok(&mut self.stack[range]);
        }
        let found = self.heap.get_mut(object).map_or(&mut self.stack, |o| &mut o.bytes);
        Ok(&mut found[range])
    }

    /// Where bytes of the host lie, if all of them may be accessed.
    pub(in crate::host) fn stretch(
        &self,
        at: u64,
        count: u64,
        write: bool,
    ) -> Option<(u64, Range<usize>)> {
        let (object, offset) = parts(at);
        let found = self.heap.get(object)?;
        let size = if object == STACK { self.stack.len() } else { found.bytes.len() } as u64;
        let end = offset.checked_add(count).filter(|end| *end <= size)?;
        let allowed = !write || found.maker != Maker::Text;
        allowed.then_some((object, offset as usize..end as usize))
    }
}
