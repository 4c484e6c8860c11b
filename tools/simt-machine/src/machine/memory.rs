//! Global memory, and what a pointer is.
//!
//! A pointer names its object and a place in it: `object << 40 | (BIAS + offset)`. Since the bias
//! is large, `p - 1` and `p + 1000000` stay with their object, and an access there is diagnosed as
//! outside of *that* array instead of landing in a neighbour by luck. Object 0 is null.
//!
//! Global words are atomics that are only ever accessed relaxed. On every processor of interest
//! that is a plain load or store; and blocks that run on different threads of this computer may
//! race, as the program they run may, without this program's being undefined.

pub(crate) mod atomic;
pub(crate) mod definedness;
pub(crate) mod heap;
pub(crate) mod storage;
mod transfer;
pub mod version;

use crate::diagnostic::Span;
use crate::isa::{Element, Inst, Module, Object};
use crate::machine::Launch;
use crate::machine::memory::heap::Heap;
use crate::machine::parallel::undo_log::Page;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Bits of a pointer below its object's number.
pub const OBJECT_SHIFT: u32 = 40;
/// Where an object's byte 0 stands in its part of the address space.
pub const BIAS: u64 = 1 << 38;
/// Arrays are smaller than this, so that an offset fits 32 bits.
pub const MAX_BYTES: usize = u32::MAX as usize - 64;
/// Bytes of the device's heap at most.
const MOST_HEAP: u32 = 1 << 30;
/// What memory holds that nobody wrote.
pub(crate) const JUNK: u32 = 0xCDCD_CDCD;

/// Object numbers of the kinds.
pub(crate) const BUFFERS: u64 = 1;
/// `__device__` variables are the objects from this number on.
pub const GLOBALS: u64 = 1 << 22;
pub(crate) const SHARED: u64 = 2 << 22;
pub(crate) const LOCAL: u64 = 3 << 22;

/// The pointer to the start of an object.
pub fn pointer(object: u64) -> u64 {
    object << OBJECT_SHIFT | BIAS
}

/// A global array: what `cudaMalloc` would have returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Buffer(pub(crate) u32);

/// An array or variable in global memory.
#[derive(Debug)]
pub struct Global {
    /// For messages.
    pub name: String,
    /// What it is an array of.
    pub element: Element,
    /// How large it is.
    pub bytes: usize,
    pub(crate) constant: bool,
    pub(crate) words: Vec<AtomicU32>,
    /// A bit a byte, a nibble a word: which bytes hold something. Empty: all of them.
    pub(crate) valid: Vec<AtomicU8>,
    /// A word of which that was not so when it was last asked.
    pub(crate) empty: usize,
    /// How often the host has put something else there, or a launch may have.
    pub(crate) changes: AtomicU64,
    /// What a host program knows of it.
    pub owner: Owner,
}

/// Where an array comes from, if a host program made it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Owner {
    /// Who may access it.
    pub side: Side,
    /// Where it was made.
    pub made: Span,
    /// Where it was freed.
    pub freed: Option<Span>,
}

/// Who may access an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Side {
    /// Kernels only.
    #[default]
    Device,
    /// Both: host memory that the device sees.
    Pinned,
    /// Both, wherever it is.
    Managed,
}

/// Global memory, and the values of `__device__` variables between launches.
#[derive(Debug, Default)]
pub struct Memory {
    pub(crate) buffers: Vec<Global>,
    pub(crate) globals: Vec<Global>,
    /// Objects of a host program that a launch is given, though no kernel may access them.
    pub foreign: Vec<(u64, String)>,
    /// The device's heap, once a kernel has asked for memory.
    pub(crate) heap: Option<Heap>,
    /// Its bytes, if somebody asked for others than CUDA's.
    heap_bytes: Option<u32>,
    /// For copies of what launches overwrite.
    pub(crate) free_pages: Vec<Page>,
    /// The objects that the last launch may have accessed.
    pub(crate) reached: Vec<u32>,
}

impl Memory {
    /// Nothing allocated.
    pub fn new() -> Memory {
        Memory::default()
    }

    /// An array of `bytes` bytes, named for messages, of elements named `element` of
    /// `element_size` bytes. Its contents are junk, and reading them is a finding.
    pub fn alloc(&mut self, name: &str, element: &str, element_size: u32, bytes: usize) -> Buffer {
        self.buffers.push(Global {
            name: name.to_owned(),
            element: Element { name: element.to_owned(), size: element_size.max(1) },
            bytes,
            constant: false,
            words: (0..bytes.div_ceil(4)).map(|_| AtomicU32::new(JUNK)).collect(),
            valid: (0..bytes.div_ceil(4)).map(|_| AtomicU8::new(0)).collect(),
            empty: 0,
            changes: AtomicU64::new(0),
            owner: Owner::default(),
        });
        Buffer(self.buffers.len() as u32 - 1)
    }

    /// Copies bytes in from the host, from the array's start; they count as initialised. Bytes
    /// past the array's end are dropped.
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

    /// Makes the module's variables, unless an earlier launch of the same module did. None, if they
    /// take more than `most` bytes: the launch is refused then.
    pub fn prepare(&mut self, objects: &[Object], most: u64) {
        if objects.iter().map(|o| u64::from(o.size)).sum::<u64>() > most {
            self.globals.clear();
            return;
        }
        let same = self.globals.len() == objects.len()
            && self
                .globals
                .iter()
                .zip(objects)
                .all(|(g, o)| g.name == o.name && g.bytes == o.size as usize);
        if same {
            return;
        }
        self.globals = objects
            .iter()
            .map(|object| {
                let mut global = Global {
                    name: object.name.clone(),
                    element: object.element.clone(),
                    bytes: object.size as usize,
                    constant: object.constant,
                    words: (0..object.size.div_ceil(4)).map(|_| AtomicU32::new(0)).collect(),
                    valid: Vec::new(),
                    empty: 0,
                    changes: AtomicU64::new(0),
                    owner: Owner {
                        side: if object.managed { Side::Managed } else { Side::Device },
                        ..Owner::default()
                    },
                };
                global.upload(&object.initial);
                global
            })
            .collect();
    }

    /// What `cudaDeviceSetLimit` of the heap does: 1 where there is a heap already, or no room.
    pub fn size_heap(&mut self, bytes: u64) -> u64 {
        let wanted = u32::try_from(bytes).ok().filter(|b| *b <= MOST_HEAP);
        if self.heap.is_some() || wanted.is_none() {
            return 1;
        }
        self.heap_bytes = wanted;
        0
    }

    /// There is none, and what was asked for is forgotten.
    pub fn drop_heap(&mut self) {
        (self.heap, self.heap_bytes) = (None, None);
    }

    /// Whether a kernel has asked for memory.
    pub fn has_heap(&self) -> bool {
        self.heap.is_some()
    }

    /// The heap is there from now on.
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
            // Who has a gap where it had one before is not searched again.
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
        // Bytes behind the end, in the last word, are never read; they count as written.
        if !self.bytes.is_multiple_of(4)
            && let Some(last) = self.valid.last_mut()
        {
            *last.get_mut() |= !((1u8 << (self.bytes % 4)) - 1) & 0xF;
        }
    }
}

#[cfg(test)]
mod tests;
