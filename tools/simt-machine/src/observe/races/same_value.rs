//! Benign races: words to which several threads of a block wrote the same value.
//!
//! A flag that every thread sets and then reads is a race by definition. But each thread reads back the
//! value it stored, so this read is benign, as the writes are.

use rustc_hash::FxHashMap;
use std::hint::black_box;

/// An object or shared memory, and an offset.
type Word = (u32, u32);

/// A block, and the number of barriers passed.
type When = (u32, u32);

/// The last block that did so, the value, and the threads.
type Wrote = (When, u64, Threads);

/// Threads of a block. Millions of words may have two each.
#[derive(Debug)]
enum Threads {
    /// At most four; [`NONE`] fills up.
    Few([u16; 4]),
    /// A bit each.
    Many(Box<[u32; 32]>),
}

/// No thread.
const NONE: u16 = u16::MAX;

impl Threads {
    fn none() -> Threads {
        Threads::Few([NONE; 4])
    }

    fn add(&mut self, thread: u32) {
        match self {
            Threads::Few(few) => {
                let wanted = |known: &&mut u16| **known == NONE || u32::from(**known) == thread;
                if let Some(known) = few.iter_mut().find(wanted) {
                    *known = thread as u16;
                    return;
                }
                let mut bits = Box::new([0; 32]);
                for known in few.map(u32::from).into_iter().chain([thread]) {
                    bits[known as usize / 32] |= 1 << (known % 32);
                }
                *self = Threads::Many(bits);
            }
            Threads::Many(bits) => bits[thread as usize / 32] |= 1 << (thread % 32),
        }
    }

    fn holds(&self, thread: u32) -> bool {
        match self {
            Threads::Few(few) => few.iter().any(|known| u32::from(*known) == thread),
            Threads::Many(bits) => bits[thread as usize / 32] >> (thread % 32) & 1 == 1,
        }
    }
}

/// So many words fit a core's cache.
const FEW: usize = 4096;

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
        let known = self.0.entry(word).or_insert_with(|| (when, value, Threads::none()));
        if (known.0, known.1) != (when, value) {
            *known = (when, value, Threads::none());
        }
        threads.into_iter().for_each(|thread| known.2.add(thread));
    }

    /// Looks at words before they are written one after the other: so the cache misses overlap.
    pub(crate) fn touch(&self, words: impl Iterator<Item = Word>) {
        if self.0.len() < FEW {
            return;
        }
        let known = |word: Word| self.0.get(&word).is_some_and(|known| known.2.holds(0));
        black_box(words.fold(false, |any, word| any | known(word)));
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
                && threads.iter().all(|thread| known.2.holds(*thread))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four threads are a list, and more are bits.
    #[test]
    fn keeps_any_number_of_threads() {
        let (word, when) = ((3, 40), (7, 1));
        let all = [1023, 0, 31, 32, 5, 900];
        for count in 1..=all.len() {
            let mut writes = SameValueWrites::default();
            writes.wrote(word, when, Some(9), all[..count].iter().copied());
            for (at, thread) in all.into_iter().enumerate() {
                let known = at < count;
                assert_eq!(writes.holds(word, when, Some(9), [all[0], thread]), known);
            }
            assert!(!writes.holds(word, when, Some(8), [all[0]; 2]), "another value");
            assert!(!writes.holds(word, (7, 2), Some(9), [all[0]; 2]), "another barrier");
            writes.wrote(word, when, Some(8), [2]);
            assert!(!writes.holds(word, when, Some(8), [2, all[0]]), "of the value before");
            writes.wrote(word, when, None, []);
            assert!(!writes.holds(word, when, Some(8), [2; 2]), "different values");
        }
    }
}
