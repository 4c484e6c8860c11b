//! Global memory, and the layout of pointers.
//!
//! A pointer is an object and an offset: `object << 40 | (BIAS + offset)`. The bias is large, so `p - 1`
//! and `p + 1000000` stay with their object, and such an access is diagnosed as outside *that* array
//! instead of hitting a neighbour by chance. Object 0 is null.
//!
//! Global words are atomics that are only accessed with relaxed ordering, which on common processors
//! is a plain load or store. So blocks on different host threads may race, as the simulated program
//! may, without undefined behaviour of the simulator.

pub(crate) mod atomic;
pub(crate) mod definedness;
pub(crate) mod heap;
pub(crate) mod shared_window;
pub(crate) mod storage;
mod transfer;
pub mod version;
mod zeroed;

use crate::diagnostic::Span;
use crate::isa::{Element, Inst, Module, Object};
use crate::machine::Launch;
use crate::machine::memory::heap::Heap;
use crate::machine::parallel::undo_log::Page;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};
use zeroed::zeroed;

/// Bits of a pointer below the object's number.
pub const OBJECT_SHIFT: u32 = 40;
/// The offset of an object's byte 0 in its address range.
pub const BIAS: u64 = 1 << 38;
/// Arrays are smaller than this, so that an offset fits 32 bits.
pub const MAX_BYTES: usize = u32::MAX as usize - 64;
/// Bytes of the device's heap at most.
const MOST_HEAP: u32 = 1 << 30;
/// What memory holds before it is written.
pub(crate) const JUNK: u32 = 0xCDCD_CDCD;

/// The first object number of each kind.
pub(crate) const BUFFERS: u64 = 1;
/// `__device__` variables are the objects from this number on.
pub const GLOBALS: u64 = 1 << 22;
/// The objects from this number on, up to [`GLOBALS`], are the host's own: no kernel may access them.
pub const HOST: u64 = 1 << 21;
pub(crate) const SHARED: u64 = 2 << 22;
/// The whole of a block's shared memory, for addresses that are computed from 32 bits
/// ([`shared_window`]).
pub(crate) const SHARED_WINDOW: u64 = SHARED | 1 << 21;
pub(crate) const LOCAL: u64 = 3 << 22;

/// The pointer to the start of an object.
pub fn pointer(object: u64) -> u64 {
    object << OBJECT_SHIFT | BIAS
}

/// A global array, as `cudaMalloc` returns it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Buffer(pub(crate) u32);

impl Buffer {
    /// The pointer to its start.
    pub fn address(self) -> u64 {
        pointer(BUFFERS + u64::from(self.0))
    }
}

/// An array or variable in global memory.
#[derive(Debug)]
pub struct Global {
    /// Its name, for messages.
    pub name: String,
    /// Its elements.
    pub element: Element,
    /// A variable that is no array: messages give it no index.
    pub(crate) scalar: bool,
    /// Its size.
    pub bytes: usize,
    pub(crate) constant: bool,
    pub(crate) words: Vec<AtomicU32>,
    /// Which bytes were written: four bits per word. Empty: all of them.
    pub(crate) valid: Vec<AtomicU8>,
    /// A word that was not wholly written when that was last looked up.
    pub(crate) empty: usize,
    /// How often the host changed it, or a launch may have.
    pub(crate) changes: AtomicU64,
    /// What a host program knows about it.
    pub owner: Owner,
}

/// Where an array comes from, if a host program allocated it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Owner {
    /// Which side may access it.
    pub side: Side,
    /// Where it was allocated.
    pub made: Span,
    /// Where it was freed.
    pub freed: Option<Span>,
}

/// Which side may access an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Side {
    /// Kernels only.
    #[default]
    Device,
    /// Both: pinned host memory.
    Pinned,
    /// Both: managed memory.
    Managed,
}

/// What is at an address that only host code can use.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Foreign {
    /// The host's local variables.
    Stack,
    /// An object of the host, by its name.
    Object(String),
    /// What host code has as the address of this variable of the device.
    Variable(String),
}

/// Global memory, and the values of `__device__` variables between launches.
#[derive(Debug, Default)]
pub struct Memory {
    pub(crate) buffers: Vec<Global>,
    pub(crate) globals: Vec<Global>,
    /// Host objects that a launch passes as arguments, by number. Kernels cannot access them.
    pub foreign: Vec<(u64, Foreign)>,
    /// The device heap, once a kernel uses it.
    pub(crate) heap: Option<Heap>,
    /// Its size, if it was set.
    heap_bytes: Option<u32>,
    /// Pages for the undo log of the next launch.
    pub(crate) free_pages: Vec<Page>,
    /// The objects that the last launch may have accessed.
    pub(crate) reached: Vec<u32>,
    /// Freed arrays whose numbers may be used again, the oldest first.
    recycled: VecDeque<u32>,
}

impl Memory {
    /// Empty memory.
    pub fn new() -> Memory {
        Memory::default()
    }

    /// Allocates an array of `bytes` bytes; its name and its elements are for messages. Its contents are
    /// junk, and reading them is reported.
    pub fn alloc(&mut self, name: &str, element: &str, element_size: u32, bytes: usize) -> Buffer {
        let element = Element { name: element.to_owned(), size: element_size.max(1) };
        let words = bytes.div_ceil(4);
        self.buffers.push(Global {
            name: name.to_owned(),
            element,
            scalar: false,
            bytes,
            constant: false,
            words: (0..words).map(|_| AtomicU32::new(JUNK)).collect(),
            valid: (0..words).map(|_| AtomicU8::new(0)).collect(),
            empty: 0,
            changes: AtomicU64::new(0),
            owner: Owner::default(),
        });
        Buffer(self.buffers.len() as u32 - 1)
    }

    /// Copies bytes from the host to the start of the array, which initialises them. Bytes past its end
    /// are dropped.
    pub fn upload(&mut self, buffer: Buffer, bytes: &[u8]) {
        self.buffers[buffer.0 as usize].upload(bytes);
    }

    /// The array's bytes.
    pub fn download(&self, buffer: Buffer) -> Vec<u8> {
        let array = &self.buffers[buffer.0 as usize];
        let mut out = vec![0; array.words.len() * 4];
        for (bytes, word) in out.as_chunks_mut::<4>().0.iter_mut().zip(&array.words) {
            *bytes = word.load(Relaxed).to_le_bytes();
        }
        out.truncate(array.bytes);
        out
    }

    /// Makes the module's variables, unless an earlier launch of the same module did, or of one that has
    /// more behind them. If they take more than `most` bytes, it makes none, and the launch is refused.
    pub fn prepare(&mut self, objects: &[Object], most: u64) {
        if objects.iter().map(|o| u64::from(o.size)).sum::<u64>() > most {
            self.globals.clear();
            return;
        }
        let same = self.globals.len() >= objects.len()
            && self.globals.iter().zip(objects).all(|(g, o)| {
                g.name == o.name && (g.bytes == o.size as usize || g.owner.freed.is_some())
            });
        if same {
            return;
        }
        self.globals = objects.iter().map(Global::variable).collect();
    }

    /// Makes the variables of another module behind those of the modules before it.
    pub fn add_variables(&mut self, objects: &[Object]) {
        self.globals.extend(objects.iter().map(Global::variable));
    }

    /// Frees variables, of a module that is unloaded; they keep their names and numbers.
    pub fn release_variables(&mut self, numbers: Range<usize>, span: Span) {
        for variable in self.globals.get_mut(numbers).into_iter().flatten() {
            variable.owner.freed = Some(span);
            *variable.changes.get_mut() += 1;
            variable.bytes = 0;
            variable.words = Vec::new();
        }
    }

    /// `cudaDeviceSetLimit` of the heap size: 1 if the heap exists already, or is too large.
    pub fn size_heap(&mut self, bytes: u64) -> u64 {
        let wanted = u32::try_from(bytes).ok().filter(|b| *b <= MOST_HEAP);
        if self.heap.is_some() || wanted.is_none() {
            return 1;
        }
        self.heap_bytes = wanted;
        0
    }

    /// Drops the heap and its size.
    pub fn drop_heap(&mut self) {
        (self.heap, self.heap_bytes) = (None, None);
    }

    /// What kernels allocated from the heap and have not freed: where, and how many bytes.
    pub fn live_in_heap(&self) -> Vec<(Span, u32)> {
        self.heap.as_ref().map(Heap::live).unwrap_or_default()
    }

    /// Whether a kernel has used the heap.
    pub fn has_heap(&self) -> bool {
        self.heap.is_some()
    }

    /// Makes the heap, unless it exists.
    pub(crate) fn open_heap(&mut self) {
        let bytes = self.heap_bytes;
        self.heap.get_or_insert_with(|| Heap::new(bytes));
    }

    /// Every object: arrays, then variables, then the heap.
    pub(crate) fn objects(&self) -> impl Iterator<Item = &Global> {
        let heap = self.heap.iter().map(|heap| &heap.arena);
        self.buffers.iter().chain(&self.globals).chain(heap)
    }

    /// Before a launch: makes the module's variables and the heap, and passes arguments that are read
    /// from memory.
    pub(crate) fn begin_launch(&mut self, module: &Module, launch: &Launch<'_>, most: u64) {
        self.prepare(&module.globals, most);
        self.hand_over(launch);
        let allocates = |inst: &Inst| matches!(inst, Inst::Malloc { .. });
        if launch.kernel.code.iter().any(allocates) {
            self.open_heap();
        }
    }

    /// After a launch, which may have accessed the objects `reached`: keeps the pages for the next
    /// one, and forgets the definedness of arrays that are wholly written, since reading them needs
    /// no check.
    pub(crate) fn end_launch(&mut self, pages: Vec<Page>, reached: Vec<u32>) {
        (self.free_pages, self.reached) = (pages, reached);
        for array in &mut self.buffers {
            // The search starts at the last gap.
            let gap = |at: &usize| array.valid[*at].load(Relaxed) != 0xF;
            let (all, known) = (array.valid.len(), array.empty.min(array.valid.len()));
            match (known..all).chain(0..known).find(gap) {
                Some(at) => array.empty = at,
                None => array.valid = Vec::new(),
            }
        }
    }
}

impl Global {
    /// A variable with its first value.
    fn variable(object: &Object) -> Global {
        let mut global = Global {
            name: object.name.clone(),
            element: object.element.clone(),
            scalar: object.scalar,
            bytes: object.size as usize,
            constant: object.constant,
            words: (0..object.size.div_ceil(4)).map(|_| AtomicU32::new(0)).collect(),
            valid: Vec::new(),
            empty: 0,
            changes: AtomicU64::new(0),
            owner: Owner {
                side: if object.managed { Side::Managed } else { Side::Device },
                made: object.span,
                freed: None,
            },
        };
        global.upload(&object.initial);
        global
    }

    /// An array of which nothing was written, and which holds zeros; `None` if there is not enough
    /// memory. It takes room as it is touched.
    fn zeroed(name: &str, element: Element, bytes: usize) -> Option<Global> {
        let words = bytes.div_ceil(4);
        Some(Global {
            name: name.to_owned(),
            element,
            scalar: false,
            bytes,
            constant: false,
            words: zeroed(words)?,
            valid: zeroed(words)?,
            empty: 0,
            changes: AtomicU64::new(0),
            owner: Owner::default(),
        })
    }

    pub(crate) fn upload(&mut self, bytes: &[u8]) {
        let bytes = &bytes[..bytes.len().min(self.bytes)];
        *self.changes.get_mut() += 1;
        let (whole, rest) = bytes.as_chunks::<4>();
        for (word, value) in self.words.iter_mut().zip(whole) {
            *word.get_mut() = u32::from_le_bytes(*value);
        }
        if let (false, Some(word)) = (rest.is_empty(), self.words.get_mut(whole.len())) {
            let mut value = word.get_mut().to_le_bytes();
            value[..rest.len()].copy_from_slice(rest);
            *word.get_mut() = u32::from_le_bytes(value);
        }
        if bytes.len() == self.bytes {
            self.valid = Vec::new();
        }
        for (at, valid) in self.valid.iter_mut().enumerate().take(bytes.len().div_ceil(4)) {
            let there = (bytes.len() - at * 4).min(4);
            *valid.get_mut() |= (1u8 << there) - 1;
        }
        // Bytes past the end, in the last word, are never read; they count as written.
        if !self.bytes.is_multiple_of(4)
            && let Some(last) = self.valid.last_mut()
        {
            *last.get_mut() |= !((1u8 << (self.bytes % 4)) - 1) & 0xF;
        }
    }
}

#[cfg(test)]
mod tests;
