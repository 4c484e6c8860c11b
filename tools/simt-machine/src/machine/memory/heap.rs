//! The device heap: `malloc` and `free` in kernels.
//!
//! The heap is one array of the size that CUDA gives it, but each allocation is an object of its own,
//! with its own bounds and a number that is never reused. So an access past its end, or after `free`,
//! is diagnosed as such. Like a `__device__` variable the heap keeps its contents between launches, so
//! only when the program ends is memory leaked that is not freed.

use crate::diagnostic::Span;
use crate::isa::{Element, Reg};
use crate::machine::interpreter::Interpreter;
use crate::machine::memory::{BIAS, Global, JUNK, OBJECT_SHIFT, Owner, pointer};
use crate::machine::schedule::{block::Block, warp::Warp};
use crate::machine::simd::{Mask, lanes_of};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Allocations are the objects from this number on.
pub(crate) const HEAP: u64 = 1 << 20;

/// Their number at most.
const MAX_ALLOCATIONS: usize = 1 << 20;

/// The default size in bytes (`cudaLimitMallocHeapSize`).
const BYTES: u32 = 8 << 20;

/// The alignment of allocations.
const ALIGN: u32 = 16;

/// The array, and its allocator.
#[derive(Debug)]
pub(crate) struct Heap {
    pub(crate) arena: Global,
    allocator: Mutex<Allocator>,
}

#[derive(Debug)]
struct Allocator {
    /// All allocations, in order.
    made: Vec<Allocation>,
    /// The free list: start and size.
    free: BTreeMap<u32, u32>,
    /// The end of the last allocation. Search starts here, so freed memory is reused as late as possible.
    next: u32,
}

/// What one call of `malloc` returned.
#[derive(Debug, Clone)]
pub(crate) struct Allocation {
    pub(crate) start: u32,
    pub(crate) bytes: u32,
    pub(crate) made: Span,
    /// Where it was freed, if it was.
    pub(crate) freed: Option<Freed>,
}

/// Where a thread freed an allocation.
#[derive(Debug, Clone)]
pub(crate) struct Freed {
    pub(crate) span: Span,
    /// Block index.
    pub(crate) block: [u32; 3],
    /// Thread index.
    pub(crate) thread: [u32; 3],
}

/// Why a pointer cannot be freed.
#[derive(Debug, Clone)]
pub(crate) enum FreeError {
    /// `malloc` did not return it.
    Foreign,
    /// It points to this byte of an allocation, not to its start.
    Interior(i64),
    /// The allocation was freed before.
    Freed(Freed),
}

impl Heap {
    /// A heap of this size, or of the default size.
    pub(crate) fn new(bytes: Option<u32>) -> Heap {
        let bytes = bytes.unwrap_or(BYTES).next_multiple_of(ALIGN);
        let words = bytes as usize / 4;
        let arena = Global {
            name: "the device's heap".to_owned(),
            element: Element { name: "byte".to_owned(), size: 1 },
            scalar: false,
            bytes: bytes as usize,
            constant: false,
            words: (0..words).map(|_| AtomicU32::new(JUNK)).collect(),
            valid: (0..words).map(|_| AtomicU8::new(0)).collect(),
            empty: 0,
            changes: AtomicU64::new(0),
            owner: Owner::default(),
        };
        let free = BTreeMap::from([(0, bytes)]);
        Heap { arena, allocator: Mutex::new(Allocator { made: Vec::new(), free, next: 0 }) }
    }

    fn allocator(&self) -> MutexGuard<'_, Allocator> {
        self.allocator.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The allocation with an object number, live or freed.
    pub(crate) fn allocation(&self, object: u64) -> Option<Allocation> {
        let number = usize::try_from(object.checked_sub(HEAP)?).ok()?;
        self.allocator().made.get(number).cloned()
    }

    /// Where each live allocation was made, and its bytes.
    pub(crate) fn live(&self) -> Vec<(Span, u32)> {
        let allocator = self.allocator();
        let live = allocator.made.iter().filter(|made| made.freed.is_none());
        live.map(|made| (made.made, made.bytes)).collect()
    }

    /// Start and size of a live allocation.
    #[inline]
    pub(crate) fn place(&self, object: u64) -> Option<(u32, u32)> {
        let number = usize::try_from(object.checked_sub(HEAP)?).ok()?;
        let allocator = self.allocator();
        let made = allocator.made.get(number).filter(|a| a.freed.is_none())?;
        Some((made.start, made.bytes))
    }

    /// The pointer, and its words; null if there is no room.
    fn malloc(&self, bytes: u64, made: Span) -> (u64, std::ops::Range<u32>) {
        let mut allocator = self.allocator();
        let none = (0, 0..0);
        let most = self.arena.bytes as u64;
        let Some(bytes) = u32::try_from(bytes).ok().filter(|b| u64::from(*b) <= most) else {
            return none;
        };
        let room = bytes.max(1).next_multiple_of(ALIGN);
        if allocator.made.len() >= MAX_ALLOCATIONS {
            return none;
        }
        let fits = |(_, size): &(&u32, &u32)| **size >= room;
        let next = allocator.next;
        let found =
            allocator.free.range(next..).find(fits).or_else(|| allocator.free.iter().find(fits));
        let Some((&start, &size)) = found else { return none };
        allocator.free.remove(&start);
        if size > room {
            allocator.free.insert(start + room, size - room);
        }
        allocator.next = start + room;
        allocator.made.push(Allocation { start, bytes, made, freed: None });
        let words = start / 4..(start + room) / 4;
        for valid in &self.arena.valid[words.start as usize..words.end as usize] {
            valid.store(0, Relaxed);
        }
        (pointer(HEAP + allocator.made.len() as u64 - 1), words)
    }

    /// Whether a pointer can be freed.
    pub(crate) fn check_free(&self, pointer: u64) -> Result<(), FreeError> {
        allocation_of(&self.allocator(), pointer).map(|_| ())
    }

    /// Frees an allocation.
    fn free(&self, pointer: u64, by: Freed) -> Result<(), FreeError> {
        let mut allocator = self.allocator();
        let number = allocation_of(&allocator, pointer)?;
        let made = &mut allocator.made[number];
        made.freed = Some(by);
        let (mut start, mut size) = (made.start, made.bytes.max(1).next_multiple_of(ALIGN));
        if let Some((&before, &length)) = allocator.free.range(..start).next_back()
            && before + length == start
        {
            allocator.free.remove(&before);
            (start, size) = (before, size + length);
        }
        if let Some(length) = allocator.free.remove(&(start + size)) {
            size += length;
        }
        allocator.free.insert(start, size);
        Ok(())
    }
}

/// The number of the live allocation whose start a pointer is.
fn allocation_of(allocator: &Allocator, pointer: u64) -> Result<usize, FreeError> {
    let object = pointer >> OBJECT_SHIFT;
    let offset = pointer.wrapping_sub(object << OBJECT_SHIFT | BIAS);
    let number = object.checked_sub(HEAP).and_then(|number| usize::try_from(number).ok());
    let found = number.and_then(|number| Some((number, allocator.made.get(number)?)));
    match found {
        None => Err(FreeError::Foreign),
        Some(_) if offset != 0 => Err(FreeError::Interior(offset as i64)),
        Some((number, made)) => match &made.freed {
            Some(freed) => Err(FreeError::Freed(freed.clone())),
            None => Ok(number),
        },
    }
}

/// `malloc`, lane by lane.
pub(crate) fn malloc(vm: &mut Interpreter<'_>, warp: &mut Warp, pc: u32, m: &Mask, d: Reg, a: Reg) {
    let prepared = vm.prepared;
    let Some(heap) = prepared.heap else { return };
    let arena = prepared.objects.len() as u32 - 1;
    for lane in lanes_of(m.bits) {
        let bytes = warp.registers.lane(a, true, lane);
        let (pointer, words) = heap.malloc(bytes, prepared.kernel.spans[pc as usize]);
        vm.observer.allocated(arena, words.start, words.end);
        warp.registers.set_lane(d, true, lane, pointer);
    }
}

/// `free`, lane by lane. It ignores null.
pub(crate) fn free(
    vm: &mut Interpreter<'_>,
    block: &Block,
    warp: &Warp,
    pc: u32,
    m: &Mask,
    a: Reg,
) {
    let prepared = vm.prepared;
    for lane in lanes_of(m.bits) {
        let pointer = warp.registers.lane(a, true, lane);
        if pointer == 0 {
            continue;
        }
        let by = Freed {
            span: prepared.kernel.spans[pc as usize],
            block: prepared.block_index(block.linear),
            thread: prepared.thread_index(warp.number * 32 + lane as u32),
        };
        let freed = prepared.heap.ok_or(FreeError::Foreign).and_then(|heap| heap.free(pointer, by));
        if freed.is_err() {
            vm.faulted = true;
            vm.observer.free_failed(warp.at(block, pc, 1 << lane), pointer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by() -> Freed {
        Freed { span: Span::default(), block: [0; 3], thread: [0; 3] }
    }

    #[test]
    fn memory_comes_back_late_and_whole() {
        let heap = Heap::new(None);
        let half = u64::from(BYTES / 2);
        let (a, words) = heap.malloc(half, Span::default());
        assert_eq!(words, 0..BYTES / 8);
        let (b, _) = heap.malloc(half, Span::default());
        assert_eq!(heap.malloc(1, Span::default()).0, 0, "there is no more");
        assert!(heap.free(a, by()).is_ok() && heap.free(b, by()).is_ok());
        let (c, words) = heap.malloc(u64::from(BYTES), Span::default());
        assert_eq!(words, 0..BYTES / 4);
        assert!(c != a && c != b, "numbers are not given out again");
        assert_eq!(heap.place(a >> OBJECT_SHIFT), None);
        assert_eq!(heap.place(c >> OBJECT_SHIFT), Some((0, BYTES)));
        assert_eq!(heap.malloc(u64::MAX, Span::default()).0, 0);
    }

    #[test]
    fn its_size_is_settled_before_it_is_used() {
        let mut memory = crate::machine::Memory::new();
        assert_eq!(memory.size_heap(1 << 40), 1);
        assert_eq!(memory.size_heap(1 << 20), 0);
        memory.open_heap();
        assert_eq!(memory.heap.as_ref().map(|h| h.arena.bytes), Some(1 << 20));
        assert_eq!(memory.size_heap(1 << 21), 1);
        memory.drop_heap();
        assert_eq!(memory.size_heap(1 << 21), 0);
    }

    #[test]
    fn what_cannot_be_freed() {
        let heap = Heap::new(None);
        let (a, _) = heap.malloc(3, Span::default());
        assert!(heap.free(a + 4, by()).is_err_and(|e| matches!(e, FreeError::Interior(4))));
        assert!(heap.free(pointer(1), by()).is_err());
        assert!(heap.free(pointer(HEAP + 7), by()).is_err());
        assert!(heap.free(a, by()).is_ok());
        assert!(heap.free(a, by()).is_err_and(|e| matches!(e, FreeError::Freed(_))));
    }
}
