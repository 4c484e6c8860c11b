//! Loads and stores of host code: the fast path, to the stack and to heap objects, bounds-checked.

use super::{Executed, Interpreter, MemTy, parts};
use crate::host_memory::{self, allocation, allocation_mut};
use std::ops::Range;

impl Interpreter<'_> {
    #[inline(always)]
    pub(crate) fn load(&mut self, at: u64, ty: MemTy) -> Executed<u64> {
        match allocation(&self.heap.allocations, at)
            .and_then(|(bytes, at)| host_memory::read(bytes, at, ty))
        {
            Some(value) => Ok(value),
            None => self.load_slow(at, ty),
        }
    }

    #[inline(always)]
    pub(crate) fn store(&mut self, at: u64, ty: MemTy, value: u64) -> Executed<()> {
        let found = allocation_mut(&mut self.heap.allocations, at);
        match found.and_then(|(bytes, at)| host_memory::write(bytes, at, ty, value)) {
            Some(()) => Ok(()),
            None => self.store_slow(at, ty, value),
        }
    }

    /// Bytes of a host object, to read.
    pub(crate) fn bytes(&mut self, at: u64, count: u64) -> Executed<&[u8]> {
        self.heap.unwatch(parts(at).0);
        match self.range(at, count, false) {
            Some((allocation, range)) => Ok(&self.heap.allocations[allocation].bytes[range]),
            None => Err(self.range_fault(at, count, "read")),
        }
    }

    /// Bytes of a host object, to write.
    pub(crate) fn bytes_mut(&mut self, at: u64, count: u64) -> Executed<&mut [u8]> {
        self.heap.unwatch(parts(at).0);
        match self.range(at, count, true) {
            Some((allocation, range)) => Ok(&mut self.heap.allocations[allocation].bytes[range]),
            None => Err(self.range_fault(at, count, "write")),
        }
    }

    /// The allocation and the range in it of bytes of the host, if all of them may be accessed.
    pub(crate) fn range(&self, at: u64, count: u64, write: bool) -> Option<(usize, Range<usize>)> {
        let (object, offset) = parts(at);
        let number = host_memory::number(object);
        let allocation = self.heap.allocations.get(number)?;
        let end = offset.checked_add(count).filter(|end| *end <= allocation.bytes.len() as u64)?;
        (!write || !allocation.fixed).then_some((number, offset as usize..end as usize))
    }
}
