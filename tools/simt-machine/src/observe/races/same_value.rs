//! Words to which threads of a block wrote one value, each of them, with nothing between.
//!
//! A flag that every thread sets and then reads is a race by the letter. But who has set it himself
//! finds what he set, whoever came first: it is as harmless as the writes are.

use std::collections::HashMap;

/// An object, or shared memory, and a place in it.
type Word = (u32, u32);

/// A block, and how many barriers it had passed.
type When = (u32, u32);

/// The last block that did so, what was written, and by whom, a bit each.
type Wrote = (When, u64, [u32; 32]);

/// By word.
#[derive(Debug, Default)]
pub(crate) struct SameValueWrites(HashMap<Word, Wrote>);

impl SameValueWrites {
    /// Two threads wrote without an order; the value, if it is one.
    pub(crate) fn wrote(&mut self, word: Word, when: When, value: Option<u64>, threads: [u32; 2]) {
        let Some(value) = value else {
            self.0.remove(&word);
            return;
        };
        let known = self.0.entry(word).or_insert((when, value, [0; 32]));
        if (known.0, known.1) != (when, value) {
            *known = (when, value, [0; 32]);
        }
        threads.iter().for_each(|t| known.2[*t as usize / 32] |= 1 << (t % 32));
    }

    /// Whether these two are among them, and the word still holds that.
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
