//! The host's memory: its stack, its globals, what it allocated.
//!
//! A pointer is made as on the device (see [`simt::machine`]): an object and an offset. So an
//! index that runs out of a `malloc`ed array is a finding that names the array, and a freed array
//! is still known by name. Numbers of objects are handed out again only after many others.
//! All local variables together are one object, the stack.

use simt::diagnostic::Span;
use simt::isa::{Element, MemTy};
use simt::machine::memory::{BIAS, OBJECT_SHIFT, pointer};
use std::collections::VecDeque;

/// The host's objects are numbered from here on, behind the device's arrays.
pub(super) const HOST: u64 = 1 << 21;
/// The first one: functions.
const CODE: u64 = HOST;
/// The second: the stack.
pub(super) const STACK: u64 = HOST + 1;
/// One past the last.
const END: u64 = 1 << 22;

/// Freed objects that are kept in mind.
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

/// A pointer's object, and where it points in there.
#[inline(always)]
pub(super) fn parts(pointer: u64) -> (u64, u64) {
    let object = pointer >> OBJECT_SHIFT;
    (object, pointer.wrapping_sub((object << OBJECT_SHIFT) | BIAS))
}

/// Its index among the host's objects.
#[inline(always)]
pub(super) fn number(object: u64) -> usize {
    object.wrapping_sub(HOST) as usize
}

/// What a pointer points to, to read: the object's bytes, and where in there.
#[inline(always)]
pub(super) fn allocation(allocations: &[Allocation], at: u64) -> Option<(&[u8], u64)> {
    let (object, offset) = parts(at);
    allocations.get(number(object)).map(|allocation| (&allocation.bytes[..], offset))
}

/// The same to write.
#[inline(always)]
pub(super) fn allocation_mut(allocations: &mut [Allocation], at: u64) -> Option<(&mut [u8], u64)> {
    let (object, offset) = parts(at);
    let allocation = allocations.get_mut(number(object)).filter(|allocation| !allocation.fixed)?;
    Some((&mut allocation.bytes, offset))
}

/// Who made an object, and so who takes it back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Allocator {
    Malloc,
    New,
    NewArray,
    /// It stays as long as the program.
    Program,
    /// A literal: nobody writes it.
    Text,
}

/// An object of the host.
#[derive(Debug)]
pub(super) struct Object {
    pub(super) name: String,
    pub(super) element: Element,
    pub(super) allocator: Allocator,
    /// Elements, for `new[]`.
    pub(super) count: u64,
    pub(super) made: Span,
    pub(super) freed: Option<Span>,
}

/// What an object holds: apart from the rest of it, which only messages need.
#[derive(Debug)]
pub(super) struct Allocation {
    pub(super) bytes: Vec<u8>,
    /// Nobody writes it.
    pub(super) fixed: bool,
}

/// All of them.
#[derive(Debug)]
pub(super) struct Heap {
    objects: Vec<Object>,
    /// One for each object: the stack's is the stack.
    pub(super) allocations: Vec<Allocation>,
    freed: VecDeque<u32>,
    /// Bytes in use, and how many there may be.
    pub(super) used: u64,
    pub(super) limit: u64,
}

impl Heap {
    pub(super) fn new(limit: u64) -> Heap {
        let (objects, allocations) = (Vec::new(), Vec::new());
        let mut heap = Heap { objects, allocations, freed: VecDeque::new(), used: 0, limit };
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

    /// Allocation; `None` if there is not so much. It is all zero, as pages are that a system hands out:
    /// programs rest on that, knowingly or not, and what they never touch costs nothing.
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

    /// A text that nobody writes, with a zero byte behind it.
    pub(super) fn text(&mut self, text: &[u8]) -> u64 {
        let element = Element { name: "char".to_owned(), size: 1 };
        let name = "a string literal".to_owned();
        let bytes = text.len() as u64 + 1;
        let made = self.allocate(name, element, bytes, Allocator::Text, Span::default());
        let at = made.unwrap_or(0);
        self.fill(at, text);
        at
    }

    /// The first bytes of an object.
    pub(super) fn fill(&mut self, at: u64, bytes: &[u8]) {
        if let Some(allocation) = self.allocations.get_mut(number(parts(at).0)) {
            allocation.bytes[..bytes.len()].copy_from_slice(bytes);
        }
    }

    /// How many bytes an object has: none, where there is no such object.
    pub(super) fn size(&self, object: u64) -> u64 {
        self.allocations.get(number(object)).map_or(0, |allocation| allocation.bytes.len() as u64)
    }

    /// The object that a number stands for.
    pub(super) fn get(&self, object: u64) -> Option<&Object> {
        self.objects.get(number(object))
    }

    pub(super) fn get_mut(&mut self, object: u64) -> Option<&mut Object> {
        self.objects.get_mut(number(object))
    }

    /// The object's allocation goes back; its name stays.
    pub(super) fn free(&mut self, object: u64, span: Span) {
        if let Some(found) = self.get_mut(object) {
            found.freed = Some(span);
            let bytes = std::mem::take(&mut self.allocations[number(object)].bytes).len() as u64;
            self.used -= bytes;
            self.freed.push_back((object - HOST) as u32);
        }
    }
}

/// A scalar, extended as a load of `ty` does; `None` where it is not all there.
#[inline(always)]
pub(super) fn read(bytes: &[u8], at: u64, ty: MemTy) -> Option<u64> {
    let at = usize::try_from(at).ok()?;
    // Most are.
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

/// Writes a scalar's low bytes; `None` where there is not all the allocation.
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
