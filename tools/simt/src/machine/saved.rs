//! Global memory as it was before a launch, for a launch that must be run again.

use super::memory::{Global, Memory, copy};
use super::simd::Wide;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// What a launch may have to put back: words and validity of every object that it may write.
pub(crate) type Saved = Vec<Option<(Vec<u32>, Vec<u8>)>>;

impl Memory {
    /// A copy to go back to, of those objects that may be `written`.
    pub(crate) fn save(&self, written: &[bool]) -> Saved {
        let save = |(object, written): (&Global, &bool)| {
            let valid = || object.valid.iter().map(|v| v.load(Relaxed)).collect();
            written.then(|| (copied(&object.words), valid()))
        };
        self.objects().zip(written).map(save).collect()
    }

    /// Goes back to it.
    pub(crate) fn restore(&self, saved: &Saved) {
        for (object, saved) in self.objects().zip(saved) {
            let Some((words, valid)) = saved else { continue };
            for (to, from) in object.words.iter().zip(words) {
                to.store(*from, Relaxed);
            }
            for (to, from) in object.valid.iter().zip(valid) {
                to.store(*from, Relaxed);
            }
        }
    }
}

/// The words, 32 at a time.
fn copied(words: &[AtomicU32]) -> Vec<u32> {
    let wide = Wide::detect();
    let mut out = vec![0; words.len()];
    let (rows, rest) = out.as_chunks_mut::<32>();
    let done = rows.len() * 32;
    for (i, row) in rows.iter_mut().enumerate() {
        copy(wide, words, i * 32, row);
    }
    for (to, from) in rest.iter_mut().zip(&words[done..]) {
        *to = from.load(Relaxed);
    }
    out
}
