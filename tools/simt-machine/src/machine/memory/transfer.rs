//! Host access to global memory: allocation, copies, and initialisation.

use crate::diagnostic::Span;
use crate::isa::Element;
use crate::machine::memory::{
    BUFFERS, Buffer, GLOBALS, Global, JUNK, Memory, OBJECT_SHIFT, Owner, Side, pointer,
};
use crate::machine::{Arg, Launch};
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

/// How many freed arrays keep their number and their name, for messages.
const REMEMBERED: usize = 4096;

impl Memory {
    /// An array with these contents.
    pub fn filled(&mut self, name: &str, element: &str, element_size: u32, bytes: &[u8]) -> Buffer {
        let (whole, rest) = bytes.as_chunks::<4>();
        let mut words = Vec::with_capacity(bytes.len().div_ceil(4));
        words.extend(whole.iter().map(|word| AtomicU32::new(u32::from_le_bytes(*word))));
        if !rest.is_empty() {
            let mut last = JUNK.to_le_bytes();
            last[..rest.len()].copy_from_slice(rest);
            words.push(AtomicU32::new(u32::from_le_bytes(last)));
        }
        let buffer = self.alloc(name, element, element_size, 0);
        let array = &mut self.buffers[buffer.0 as usize];
        (array.bytes, array.words) = (bytes.len(), words);
        buffer
    }

    /// Allocates an array for a host program, and returns a pointer to it; `None` if this computer has
    /// no such amount of memory. It holds zeros, as fresh memory does on an H200 and on the host;
    /// reading them is reported nevertheless.
    pub fn allocate(
        &mut self,
        name: &str,
        element: &str,
        element_size: u32,
        bytes: usize,
        side: Side,
        made: Span,
    ) -> Option<u64> {
        let element = Element { name: element.to_owned(), size: element_size.max(1) };
        let mut array = Global::zeroed(name, element, bytes)?;
        array.owner = Owner { side, made, freed: None };
        let many = self.recycled.len() > REMEMBERED;
        let old = if many { self.recycled.pop_front() } else { None };
        let number = match old {
            Some(old) => {
                let slot = &mut self.buffers[old as usize];
                *array.changes.get_mut() = *slot.changes.get_mut() + 1;
                *slot = array;
                old as usize
            }
            None => {
                self.buffers.push(array);
                self.buffers.len() - 1
            }
        };
        Some(pointer(number as u64 + BUFFERS))
    }

    /// The array or variable with an object number.
    pub fn global(&self, object: u64) -> Option<&Global> {
        let at = (object & (GLOBALS - 1)) as usize;
        match object & !(GLOBALS - 1) {
            0 => self.buffers.get(at.checked_sub(BUFFERS as usize)?),
            GLOBALS => self.globals.get(at),
            _ => None,
        }
    }

    /// Passes the arguments that a kernel reads from memory.
    pub fn hand_over(&mut self, launch: &Launch<'_>) {
        for (param, arg) in launch.kernel.params.iter().zip(launch.args) {
            if let (Some(object), Arg::Value(bytes)) = (param.object, arg)
                && let Some(global) = self.globals.get_mut(usize::from(object))
                && !global.holds(0, bytes)
            {
                global.upload(bytes);
            }
        }
    }

    /// Notes what an array's elements are, as a kernel's parameter says.
    pub fn call_elements(&mut self, pointer: u64, element: &Element) {
        let at = (pointer >> OBJECT_SHIFT).wrapping_sub(BUFFERS) as usize;
        if let Some(array) = self.buffers.get_mut(at)
            && array.element.size == 1
            && element.name != "void"
            && array.element != *element
        {
            *array.changes.get_mut() += 1;
            array.element = element.clone();
        }
    }

    /// Marks bytes of an array as not written.
    pub fn set_initialised(&mut self, object: u64, offset: u64, held: &[bool]) {
        let at = object.wrapping_sub(BUFFERS) as usize;
        if let Some(array) = self.buffers.get_mut(at) {
            array.forget(offset, held);
        }
    }

    /// The number of a freed array may be used again, a while later.
    pub fn recycle(&mut self, pointer: u64) {
        self.recycled.push_back((pointer >> OBJECT_SHIFT).wrapping_sub(BUFFERS) as u32);
    }

    /// Frees all arrays.
    pub fn release_all(&mut self, span: Span) {
        self.drop_heap();
        for at in 0..self.buffers.len() as u64 {
            if self.buffers[at as usize].owner.freed.is_none() {
                self.release(pointer(at + BUFFERS), span);
            }
        }
    }

    /// Reuses the number of a freed array for a new one of this size. Returns whether there was enough
    /// memory.
    pub fn revive(&mut self, pointer: u64, bytes: usize, made: Span) -> bool {
        let at = (pointer >> OBJECT_SHIFT).wrapping_sub(BUFFERS) as usize;
        let Some(old) = self.buffers.get_mut(at) else { return false };
        let (name, element) = (old.name.clone(), old.element.clone());
        let (side, changes) = (old.owner.side, *old.changes.get_mut());
        let Some(mut fresh) = Global::zeroed(&name, element, bytes) else { return false };
        fresh.owner = Owner { side, made, freed: None };
        *fresh.changes.get_mut() = changes + 1;
        self.buffers[at] = fresh;
        true
    }

    /// Kernels read this array from now on, as constant memory, and never write it.
    pub fn seal(&mut self, pointer: u64) {
        let at = (pointer >> OBJECT_SHIFT).wrapping_sub(BUFFERS) as usize;
        if let Some(array) = self.buffers.get_mut(at) {
            array.constant = true;
        }
    }

    /// Frees an array, which is empty from now on.
    pub fn release(&mut self, pointer: u64, span: Span) {
        let at = (pointer >> OBJECT_SHIFT).wrapping_sub(BUFFERS) as usize;
        if let Some(array) = self.buffers.get_mut(at) {
            array.owner.freed = Some(span);
            *array.changes.get_mut() += 1;
            array.bytes = 0;
            (array.words, array.valid) = (Vec::new(), Vec::new());
        }
    }
}

impl Global {
    /// Copies bytes out, all of which must lie inside.
    pub fn read(&self, offset: u64, out: &mut [u8]) {
        let (first, from) = (offset as usize / 4, offset as usize % 4);
        let (head, rest) = out.split_at_mut(((4 - from) % 4).min(out.len()));
        let part = |at: usize, from: usize, out: &mut [u8]| {
            if let (Some(word), false) = (self.words.get(at), out.is_empty()) {
                let bytes = word.load(Relaxed).to_le_bytes();
                out.copy_from_slice(&bytes[from..from + out.len()]);
            }
        };
        part(first, from, head);
        let first = first + usize::from(from != 0);
        let (whole, tail) = rest.as_chunks_mut::<4>();
        for (to, word) in whole.iter_mut().zip(self.words.iter().skip(first)) {
            *to = word.load(Relaxed).to_le_bytes();
        }
        part(first + whole.len(), 0, tail);
    }

    /// Whether it holds these bytes, all of them initialised.
    fn holds(&self, offset: u64, bytes: &[u8]) -> bool {
        const PIECE: usize = 256;
        let mut now = [0; PIECE];
        bytes.chunks(PIECE).zip((offset..).step_by(PIECE)).all(|(piece, at)| {
            let now = &mut now[..piece.len()];
            self.read(at, now);
            now == piece
        }) && self.initialised(offset, bytes.len() as u64).is_empty()
    }

    /// Copies bytes in, which initialises them. All of them must lie inside.
    pub fn write(&self, offset: u64, bytes: &[u8]) {
        if self.holds(offset, bytes) {
            return;
        }
        self.changes.fetch_add(1, Relaxed);
        let (first, from) = (offset as usize / 4, offset as usize % 4);
        let (head, rest) = bytes.split_at(((4 - from) % 4).min(bytes.len()));
        let part = |at: usize, from: usize, bytes: &[u8]| {
            let Some(word) = self.words.get(at).filter(|_| !bytes.is_empty()) else { return };
            let mut value = word.load(Relaxed).to_le_bytes();
            value[from..from + bytes.len()].copy_from_slice(bytes);
            word.store(u32::from_le_bytes(value), Relaxed);
            if let Some(valid) = self.valid.get(at) {
                valid.fetch_or(((1 << bytes.len()) - 1) << from, Relaxed);
            }
        };
        part(first, from, head);
        let first = first + usize::from(from != 0);
        let (whole, tail) = rest.as_chunks::<4>();
        for (word, from) in self.words.iter().skip(first).zip(whole) {
            word.store(u32::from_le_bytes(*from), Relaxed);
        }
        for valid in self.valid.iter().skip(first).take(whole.len()) {
            valid.store(0xF, Relaxed);
        }
        part(first + whole.len(), 0, tail);
    }

    /// Which of the bytes are initialised; empty: all of them.
    pub fn initialised(&self, offset: u64, count: u64) -> Vec<bool> {
        let end = ((offset + count).div_ceil(4) as usize).min(self.valid.len());
        let words = self.valid.get(offset as usize / 4..end).unwrap_or_default();
        if words.iter().all(|valid| valid.load(Relaxed) == 0xF) {
            return Vec::new();
        }
        (offset..offset + count)
            .map(|at| {
                let valid = self.valid.get(at as usize / 4);
                valid.is_none_or(|v| v.load(Relaxed) >> (at % 4) & 1 == 1)
            })
            .collect()
    }

    /// Marks bytes as not initialised.
    pub(crate) fn forget(&mut self, offset: u64, held: &[bool]) {
        if held.iter().all(|h| *h) {
            return;
        }
        if self.valid.is_empty() {
            let all = || AtomicU8::new(0xF);
            self.valid = (0..self.words.len()).map(|_| all()).collect();
        }
        *self.changes.get_mut() += 1;
        for (at, _) in (offset..).zip(held).filter(|(_, held)| !**held) {
            if let Some(valid) = self.valid.get_mut(at as usize / 4) {
                *valid.get_mut() &= !(1 << (at % 4));
            }
        }
    }
}
