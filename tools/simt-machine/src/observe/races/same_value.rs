//! Benign races: words to which several threads of a block wrote the same value.
//!
//! A flag that every thread sets and then reads is a race by definition. But each thread reads back the
//! value it stored, so this read is benign, as the writes are.

use rustc_hash::FxHashMap;

/// An object or shared memory, and an offset.
type Word = (u32, u32);

/// A block, and the number of barriers passed.
type When = (u32, u32);

/// The last block that did so, the value, and a bit per thread.
type Wrote = (When, u64, [u32; 32]);

/// By word.
#[derive(Debug, Default)]
pub(crate) struct SameValueWrites(FxHashMap<Word, Wrote>);

impl SameValueWrites {
    /// Unordered threads wrote a word; the value, if it was the same.
    pub(crate) fn wrote(
        &mut self,
        word: Word,
        when: When,
        value: Option<u64>,
        threads: impl IntoIterator<Item = u32>,
    ) {
        let Some(value) = value else {
            self.0.remove(&word);
            return;
        };
        let known = self.0.entry(word).or_insert((when, value, [0; 32]));
        if (known.0, known.1) != (when, value) {
            *known = (when, value, [0; 32]);
        }
        threads.into_iter().for_each(|t| known.2[t as usize / 32] |= 1 << (t % 32));
    }

    /// Whether both threads wrote this value to the word.
    pub(crate) fn holds(
        &self,
        word: Word,
        when: When,
        value: Option<u64>,
        threads: [u32; 2],
    ) -> bool {
        self.0.get(&word).is_some_and(|known| {
            (known.0, Some(known.1)) == (when, value)
                && threads.iter().all(|t| known.2[*t as usize / 32] >> (t % 32) & 1 == 1)
        })
    }
}
