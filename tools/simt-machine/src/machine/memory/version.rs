//! Versions and contents of the objects of global memory, for caches of launches.
//!
//! An object's version changes with every change by the host and with every launch that may have
//! written it. While the version is the same, the contents are.

use crate::isa::Element;
use crate::machine::memory::{Global, Memory};
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

/// The contents of an object: its words, and which of their bytes were written (empty: all of them).
#[derive(Debug)]
pub struct Content {
    element: Element,
    words: Vec<u32>,
    valid: Vec<u8>,
}

/// Words that are compared at once.
const PIECE: usize = 1024;

impl Memory {
    /// The number of objects, without the heap.
    pub fn count(&self) -> usize {
        self.buffers.len() + self.globals.len()
    }

    /// The objects, by their numbers in a launch, that the last launch may have accessed.
    pub fn reached(&self) -> &[u32] {
        &self.reached
    }

    fn object(&self, number: u32) -> &Global {
        let number = number as usize;
        let variable = || &self.globals[number - self.buffers.len()];
        self.buffers.get(number).unwrap_or_else(variable)
    }

    /// The object's version.
    pub fn version(&self, number: u32) -> u64 {
        self.object(number).changes.load(Relaxed)
    }

    /// Its size in host memory.
    pub fn size(&self, number: u32) -> u64 {
        let object = self.object(number);
        (object.words.len() * 4 + object.valid.len()) as u64
    }

    /// A copy of its contents.
    pub fn content(&self, number: u32) -> Content {
        let object = self.object(number);
        let words = object.words.iter().map(|word| word.load(Relaxed)).collect();
        let mut valid: Vec<u8> = object.valid.iter().map(|valid| valid.load(Relaxed)).collect();
        if valid.iter().all(|valid| *valid == 0xF) {
            valid = Vec::new();
        }
        Content { element: object.element.clone(), words, valid }
    }

    /// Whether an object has these contents, and how many bytes were compared.
    pub fn holds(&self, number: u32, content: &Content) -> (bool, u64) {
        let object = self.object(number);
        if object.words.len() != content.words.len() || object.element != content.element {
            return (false, 0);
        }
        let mut seen = 0;
        for (now, then) in object.words.chunks(PIECE).zip(content.words.chunks(PIECE)) {
            seen += 4 * now.len() as u64;
            // Without an early exit, so that it becomes vector code.
            let differ = |sum, (now, then): (&AtomicU32, &u32)| sum | (now.load(Relaxed) ^ then);
            if now.iter().zip(then).fold(0, differ) != 0 {
                return (false, seen);
            }
        }
        let (now, then) = (&object.valid, &content.valid);
        let all = now.len().max(then.len());
        let same = (0..all).all(|at| {
            let now = now.get(at).map_or(0xF, |valid| valid.load(Relaxed));
            now == then.get(at).map_or(0xF, |valid| *valid)
        });
        (same, seen + all as u64)
    }

    /// Replaces the contents of an object.
    pub fn put(&mut self, number: u32, content: &Content) {
        let (number, arrays) = (number as usize, self.buffers.len());
        let object = match number.checked_sub(arrays) {
            None => &mut self.buffers[number],
            Some(variable) => &mut self.globals[variable],
        };
        object.changes.fetch_add(1, Relaxed);
        for (word, then) in object.words.iter_mut().zip(&content.words) {
            *word.get_mut() = *then;
        }
        object.valid = content.valid.iter().map(|valid| AtomicU8::new(*valid)).collect();
    }
}

impl Content {
    /// Its size in bytes.
    pub fn bytes(&self) -> u64 {
        (self.words.len() * 4 + self.valid.len()) as u64
    }
}
