//! Whether global memory is what it was.

use super::memory::{Global, Memory};
use std::sync::atomic::Ordering::Relaxed;

/// All that global memory held: words and validity of every object.
#[derive(Debug)]
pub struct Contents(Vec<(Vec<u32>, Vec<u8>)>);

impl Memory {
    /// A number that is another one after every change that the host makes, and after every launch
    /// that [`Memory::launches`] counts.
    pub fn edition(&self) -> u64 {
        let changes = |object: &Global| u64::from(object.changes.load(Relaxed));
        self.buffers.len() as u64 + self.launches + self.objects().map(changes).sum::<u64>()
    }

    /// Bytes of all arrays and variables.
    pub fn bytes(&self) -> u64 {
        self.objects().map(|object| object.bytes as u64).sum()
    }

    /// A copy of everything.
    pub fn contents(&self) -> Contents {
        let copy = |object: &Global| {
            let words = object.words.iter().map(|word| word.load(Relaxed)).collect();
            (words, object.valid.iter().map(|valid| valid.load(Relaxed)).collect())
        };
        Contents(self.objects().map(copy).collect())
    }

    /// Whether this is what it still holds.
    pub fn holds(&self, Contents(then): &Contents) -> bool {
        self.objects().count() == then.len()
            && self.objects().zip(then).all(|(object, (words, valid))| {
                object.words.len() == words.len()
                    && object.valid.len() == valid.len()
                    && object.words.iter().zip(words).all(|(now, then)| now.load(Relaxed) == *then)
                    && object.valid.iter().zip(valid).all(|(now, then)| now.load(Relaxed) == *then)
            })
    }
}
