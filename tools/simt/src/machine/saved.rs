//! Global memory as it was before a launch, for a launch that must be run again.

use super::memory::Memory;
use std::sync::atomic::Ordering::Relaxed;

/// What a launch may have to put back: words and validity of every object.
pub(crate) type Saved = Vec<(Vec<u32>, Vec<u8>)>;

impl Memory {
    /// A copy to go back to.
    pub(crate) fn save(&self) -> Saved {
        self.objects()
            .map(|o| {
                (
                    o.words.iter().map(|w| w.load(Relaxed)).collect(),
                    o.valid.iter().map(|v| v.load(Relaxed)).collect(),
                )
            })
            .collect()
    }

    /// Goes back to it.
    pub(crate) fn restore(&self, saved: &Saved) {
        for (object, (words, valid)) in self.objects().zip(saved) {
            for (to, from) in object.words.iter().zip(words) {
                to.store(*from, Relaxed);
            }
            for (to, from) in object.valid.iter().zip(valid) {
                to.store(*from, Relaxed);
            }
        }
    }
}
