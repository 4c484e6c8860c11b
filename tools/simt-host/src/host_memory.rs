//! The host's memory: the stack, global variables and heap objects.
//!
//! A pointer is an object number and an offset, as on the device ([`simt::machine`]). So an index out
//! of the bounds of a `malloc`ed array is a finding that names the array, and a freed array still has
//! its name. The number of a freed object is reused only after many others. A local array is an object
//! of its own. All other local variables together are one object, the stack: an overflow from one into
//! another is not detected.

mod unwritten;

use simt::diagnostic::Span;
use simt::isa::{Element, MemTy};
pub(super) use simt::machine::memory::HOST;
use simt::machine::memory::{BIAS, GLOBALS, OBJECT_SHIFT, pointer};
use std::collections::VecDeque;
pub(super) use unwritten::{Looked, Origin};

/// The first host object: the code of functions.
const CODE: u64 = HOST;
/// The second host object: the stack.
pub(super) const STACK: u64 = HOST + 1;
/// One past the last number.
const END: u64 = 1 << 22;

/// How many freed objects keep their number before it is reused.
const REMEMBERED: usize = 100_000;

/// Bytes of the stack, as on Linux.
pub(super) const STACK_BYTES: usize = 8 << 20;

/// The address of a function.
pub(super) fn function_pointer(number: u32) -> u64 {
    pointer(CODE) + u64::from(number) * 16
}

/// The function at an address.
pub(super) fn function_at(pointer: u64) -> Option<u32> {
    let (object, offset) = parts(pointer);
    (object == CODE && offset % 16 == 0).then(|| u32::try_from(offset / 16).ok()).flatten()
}

/// In the object number of a `__device__` variable: its copy on the host.
const HOST_COPY: u64 = 1 << 21;

/// What host code has as the address of a `__device__` variable: that of the variable's copy on the
/// host, which neither the host nor the device may use.
pub(super) fn host_copy(variable: u64) -> u64 {
    variable | HOST_COPY << OBJECT_SHIFT
}

/// The `__device__` variable of which an object is the host's copy.
pub(super) fn copied_variable(object: u64) -> Option<u64> {
    let number = object.checked_sub(GLOBALS + HOST_COPY)?;
    (number <= u64::from(u16::MAX)).then_some(GLOBALS + number)
}

/// The object number and the offset of a pointer.
#[inline(always)]
pub(super) fn parts(pointer: u64) -> (u64, u64) {
    let object = pointer >> OBJECT_SHIFT;
    (object, pointer.wrapping_sub((object << OBJECT_SHIFT) | BIAS))
}

/// The address some rows further.
pub(super) fn further(pointer: u64, rows: u64, pitch: u64) -> u64 {
    pointer.wrapping_add(rows.wrapping_mul(pitch))
}

/// The index of an object among the host's objects.
#[inline(always)]
pub(super) fn number(object: u64) -> usize {
    object.wrapping_sub(HOST) as usize
}

/// The bytes of the object that a pointer points to, and the offset: to read.
#[inline(always)]
pub(super) fn allocation(allocations: &[Allocation], at: u64) -> Option<(&[u8], u64)> {
    let (object, offset) = parts(at);
    allocations.get(number(object)).map(|allocation| (&allocation.bytes[..], offset))
}

/// The same, to write.
#[inline(always)]
pub(super) fn allocation_mut(allocations: &mut [Allocation], at: u64) -> Option<(&mut [u8], u64)> {
    let (object, offset) = parts(at);
    let allocation = allocations.get_mut(number(object)).filter(|allocation| !allocation.fixed)?;
    Some((&mut allocation.bytes, offset))
}

/// What allocated an object, which decides what may free it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Allocator {
    Malloc,
    New,
    NewArray,
    /// The program itself: the object lives as long as the program.
    Program,
    /// A string literal: read-only.
    Text,
}

/// An object of the host.
#[derive(Debug)]
pub(super) struct Object {
    pub(super) name: String,
    pub(super) element: Element,
    pub(super) allocator: Allocator,
    /// How many elements, for `new[]`.
    pub(super) count: u64,
    pub(super) made: Span,
    pub(super) freed: Option<Span>,
}

/// The contents of an object, apart from [`Object`], which only diagnostics need.
#[derive(Debug)]
pub(super) struct Allocation {
    pub(super) bytes: Vec<u8>,
    /// Read-only.
    pub(super) fixed: bool,
}

/// The host's objects.
#[derive(Debug)]
pub(super) struct Heap {
    objects: Vec<Object>,
    /// One per object.
    pub(super) allocations: Vec<Allocation>,
    freed: VecDeque<u32>,
    /// Bytes in use, and the limit.
    pub(super) used: u64,
    pub(super) limit: u64,
    watch: unwritten::Watch,
}

impl Heap {
    pub(super) fn new(limit: u64) -> Heap {
        let (objects, allocations) = (Vec::new(), Vec::new());
        let (freed, watch) = (VecDeque::new(), unwritten::Watch::default());
        let mut heap = Heap { objects, allocations, freed, used: 0, limit, watch };
        for (name, bytes) in [("the program's code", 0), ("the stack", STACK_BYTES)] {
            heap.allocations.push(Allocation { bytes: vec![0; bytes], fixed: false });
            heap.objects.push(Object {
                name: name.to_owned(),
                element: Element { name: "byte".to_owned(), size: 1 },
                allocator: Allocator::Program,
                count: 0,
                made: Span::default(),
                freed: None,
            });
        }
        heap
    }

    /// Allocates an object; `None` if the limit is reached. Its bytes are zero, as fresh pages of an
    /// operating system are: programs rely on that, and untouched pages cost nothing.
    pub(super) fn allocate(
        &mut self,
        name: String,
        element: Element,
        bytes: u64,
        allocator: Allocator,
        made: Span,
    ) -> Option<u64> {
        if bytes > self.limit.saturating_sub(self.used) {
            return None;
        }
        let fixed = allocator == Allocator::Text;
        let allocation = Allocation { bytes: vec![0; usize::try_from(bytes).ok()?], fixed };
        let object = Object { name, element, allocator, count: 0, made, freed: None };
        let at = if self.freed.len() >= REMEMBERED
            && let Some(at) = self.freed.pop_front()
        {
            self.objects[at as usize] = object;
            self.allocations[at as usize] = allocation;
            u64::from(at)
        } else if HOST + (self.objects.len() as u64) < END {
            self.objects.push(object);
            self.allocations.push(allocation);
            self.objects.len() as u64 - 1
        } else {
            return None;
        };
        self.used += bytes;
        Some(pointer(HOST + at))
    }

    /// Allocates a read-only string with a terminating zero byte.
    pub(super) fn text(&mut self, text: &[u8]) -> u64 {
        let element = Element { name: "char".to_owned(), size: 1 };
        let name = "a string literal".to_owned();
        let bytes = text.len() as u64 + 1;
        let made = self.allocate(name, element, bytes, Allocator::Text, Span::default());
        let at = made.unwrap_or(0);
        self.fill(at, text);
        at
    }

    /// Sets the first bytes of an object.
    pub(super) fn fill(&mut self, at: u64, bytes: &[u8]) {
        if let Some(allocation) = self.allocations.get_mut(number(parts(at).0)) {
            allocation.bytes[..bytes.len()].copy_from_slice(bytes);
        }
    }

    /// How many bytes an object has; 0 if there is no such object.
    pub(super) fn size(&self, object: u64) -> u64 {
        let found = self.allocations.get(number(object));
        found.map_or(0, |allocation| allocation.bytes.len() as u64 + self.hidden(object))
    }

    /// How many objects there are, and can be.
    pub(super) fn objects(&self) -> [u64; 2] {
        [self.objects.len() as u64, END - HOST]
    }

    /// The object of a number.
    pub(super) fn get(&self, object: u64) -> Option<&Object> {
        self.objects.get(number(object))
    }

    pub(super) fn get_mut(&mut self, object: u64) -> Option<&mut Object> {
        self.objects.get_mut(number(object))
    }

    /// Frees an object's bytes; its name stays for diagnostics.
    pub(super) fn free(&mut self, object: u64, span: Span) {
        self.unwatch(object);
        if let Some(found) = self.get_mut(object) {
            found.freed = Some(span);
            let bytes = std::mem::take(&mut self.allocations[number(object)].bytes).len() as u64;
            self.used -= bytes;
            self.freed.push_back((object - HOST) as u32);
        }
    }
}

/// Reads a scalar, extended as `ty` says; `None` if it is not within the bytes.
#[inline(always)]
pub(super) fn read(bytes: &[u8], at: u64, ty: MemTy) -> Option<u64> {
    let at = usize::try_from(at).ok()?;
    // Most accesses are of 32 bits.
    if ty == MemTy::B32 {
        return part(bytes, at).map(|word| u64::from(u32::from_le_bytes(word)));
    }
    Some(match ty {
        MemTy::I8 => u64::from(*bytes.get(at)? as i8 as i32 as u32),
        MemTy::U8 => u64::from(*bytes.get(at)?),
        MemTy::I16 => u64::from(i16::from_le_bytes(part(bytes, at)?) as i32 as u32),
        MemTy::U16 => u64::from(u16::from_le_bytes(part(bytes, at)?)),
        MemTy::B32 => u64::from(u32::from_le_bytes(part(bytes, at)?)),
        MemTy::B64 => u64::from_le_bytes(part(bytes, at)?),
    })
}

#[inline(always)]
fn part<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.wrapping_add(N))?.try_into().ok()
}

/// Writes a scalar's low bytes; `None` if they are not within the bytes.
#[inline(always)]
pub(super) fn write(bytes: &mut [u8], at: u64, ty: MemTy, value: u64) -> Option<()> {
    let at = usize::try_from(at).ok()?;
    if ty == MemTy::B32 {
        bytes.get_mut(at..at.wrapping_add(4))?.copy_from_slice(&(value as u32).to_le_bytes());
        return Some(());
    }
    let n = ty.bytes() as usize;
    let to = bytes.get_mut(at..at.wrapping_add(n))?;
    match ty {
        MemTy::I8 | MemTy::U8 => to[0] = value as u8,
        MemTy::I16 | MemTy::U16 => to.copy_from_slice(&(value as u16).to_le_bytes()),
        MemTy::B32 => to.copy_from_slice(&(value as u32).to_le_bytes()),
        MemTy::B64 => to.copy_from_slice(&value.to_le_bytes()),
    }
    Some(())
}
