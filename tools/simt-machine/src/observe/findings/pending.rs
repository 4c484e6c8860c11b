//! Reads of what nothing was written to, before it is known whether another thread of the block writes
//! there in no order with them. Then the race says what is wrong, and "nothing was written there" would lead
//! away from the barrier that is missing.

use super::{Case, Findings, Key, Text};
use crate::observe::Finding;
use rustc_hash::FxHashMap;

/// A word of memory, as a block has it between two of its barriers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Word {
    pub(crate) block: u32,
    /// The number of barriers passed.
    pub(crate) phase: u32,
    pub(crate) shared: bool,
    pub(crate) object: u32,
    /// Its number in the object.
    pub(crate) at: u32,
}

/// Words that are kept; if there are more, the findings stay.
const MAX: usize = 1 << 12;

#[derive(Debug, Default)]
pub(super) struct Pending {
    /// In the order in which they were read; `None` if a race took the place of one.
    all: Vec<(Word, Option<(Key, Finding)>)>,
    index: FxHashMap<Word, Vec<usize>>,
}

impl Pending {
    fn push(&mut self, word: Word, key: Key, finding: Finding) {
        self.index.entry(word).or_default().push(self.all.len());
        self.all.push((word, Some((key, finding))));
    }

    fn known(&mut self, word: Word, key: &Key) -> Option<&mut Finding> {
        let all = self.index.get(&word)?;
        let at = all.iter().find(|at| matches!(&self.all[**at].1, Some((k, _)) if k == key))?;
        self.all[*at].1.as_mut().map(|(_, finding)| finding)
    }
}

impl Findings {
    /// Adds a case unless a race concerns its word before the block ends.
    pub(crate) fn add_unless_raced(&mut self, word: Word, case: Case, text: impl FnOnce() -> Text) {
        let key = case.key();
        if let Some(finding) = self.pending.known(word, &key) {
            finding.count += case.count;
            return;
        }
        if self.pending.all.len() >= MAX {
            self.settle(None);
        }
        self.pending.push(word, key, case.finding(text()));
    }

    /// A race concerns this word.
    pub(crate) fn raced(&mut self, word: Word) {
        for at in self.pending.index.remove(&word).unwrap_or_default() {
            self.pending.all[at].1 = None;
        }
    }

    /// No race can concern the words of this block any more, or of any block.
    pub(crate) fn settle(&mut self, block: Option<u32>) {
        if self.pending.all.is_empty() {
            return;
        }
        let done = |word: &Word| block.is_none_or(|block| block == word.block);
        let all = std::mem::take(&mut self.pending).all;
        for (word, one) in all {
            match one {
                Some((key, finding)) if done(&word) => {
                    self.list().add(key, 0, finding.count, || finding);
                }
                Some((key, finding)) => self.pending.push(word, key, finding),
                None => {}
            }
        }
    }
}
