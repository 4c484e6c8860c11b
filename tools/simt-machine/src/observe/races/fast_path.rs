//! Fast path: checks an access word by word, not lane by lane; one of less than a word, byte by byte.
//!
//! If the lanes of an access have the pattern that they had before ([`Access::pattern`]), it is known
//! which lanes share a word, and each word is checked once. Of the lanes that read a word, two say as
//! much as all. A word where the access certainly conflicts with nothing is settled here. All others
//! are left, unchanged, to the checks lane by lane, which know every case and report the lanes in
//! order.

use super::segments::{Relation, Segments};
use super::shadow::{BLOCKS, Entry, Kind, LANES, PAGE, Shadow, WARPS, Word};
use super::word_state::{Now, Relations, after_read, unordered};
use crate::event::Access;
use crate::lanes::{FULL, lanes_of};

/// The words (or bytes) of an instruction's last pattern.
#[derive(Debug, Clone, Default)]
pub(super) struct PatternWords {
    pattern: u64,
    words: Vec<PatternWord>,
    /// Whether every lane has words of its own.
    disjoint: bool,
    /// The last access that left every word as it was.
    idle: Option<Idle>,
}

/// An access that changes no word, until another one does: a loop loads again what it has loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Idle {
    start: u32,
    /// The number of the global array, and the version of its shadow.
    object: u32,
    version: u64,
    first: Now,
}

/// A word of a pattern.
#[derive(Debug, Clone, Copy)]
struct PatternWord {
    /// Bytes from the first lane's offset, wrapping.
    distance: u32,
    /// The lanes that access it.
    lanes: u32,
    /// The first two of them; the same twice if there is only one.
    two: [u8; 2],
}

impl PatternWords {
    /// Learns the pattern of an access of at most four bytes per lane.
    pub(super) fn learn(&mut self, access: &Access<'_>) {
        if self.pattern == access.pattern {
            return;
        }
        self.pattern = access.pattern;
        self.idle = None;
        self.words.clear();
        let bytes = if access.width < 4 { access.width } else { 1 };
        let all = lanes_of(access.lanes).flat_map(|lane| (0..bytes).map(move |byte| (lane, byte)));
        for (lane, byte) in all {
            let distance = access.offsets[lane].wrapping_sub(access.offsets[0]) + byte;
            match self.words.iter_mut().find(|w| w.distance == distance) {
                Some(word) => {
                    if word.two[0] == word.two[1] {
                        word.two[1] = lane as u8;
                    }
                    word.lanes |= 1 << lane;
                }
                None => {
                    let two = [lane as u8; 2];
                    self.words.push(PatternWord { distance, lanes: 1 << lane, two });
                }
            }
        }
        self.disjoint = self.words.iter().all(|word| word.two[0] == word.two[1]);
        for all in self.words.iter_mut().filter(|word| word.lanes == FULL) {
            // The checks lane by lane keep the first and the last lane.
            all.two[1] = 31;
        }
    }

    /// Whether the access is the last one again, which settled every word and changed none, and no word
    /// has changed since. `object`: the global array, if such accesses are kept.
    #[inline(always)]
    pub(super) fn unchanged(
        &self,
        shadow: &Shadow,
        object: Option<u32>,
        start: u32,
        first: Now,
    ) -> bool {
        let version = shadow.version();
        object.is_some_and(|object| self.idle == Some(Idle { start, object, version, first }))
    }

    /// Settles every word where the access certainly conflicts with nothing, and returns the lanes of
    /// the other words. `start` is the first lane's offset, `object` as above.
    pub(super) fn settle(
        &mut self,
        shadow: &mut Shadow,
        object: Option<u32>,
        start: u32,
        settle: &mut Settle<'_>,
    ) -> u32 {
        if settle.first.write && !self.disjoint {
            return u32::MAX;
        }
        let mut left = 0;
        let mut page = usize::MAX;
        let mut words: &mut [Word] = &mut [];
        for wanted in &self.words {
            let at = start.wrapping_add(wanted.distance) as usize / 4;
            if at / PAGE != page {
                page = at / PAGE;
                words = &mut shadow.same_page(page)[..];
            }
            let word = &mut words[at % PAGE];
            if Shadow::split(*word) || !settle.word(word, wanted) {
                left |= wanted.lanes;
            }
        }
        if settle.changed {
            shadow.changed();
        } else if let (0, Some(object)) = (left, object) {
            let (version, first) = (shadow.version(), settle.first);
            self.idle = Some(Idle { start, object, version, first });
        }
        left
    }

    /// The same for an access of less than a word per lane, byte by byte.
    pub(super) fn settle_bytes(
        &self,
        shadow: &mut Shadow,
        start: u32,
        settle: &mut Settle<'_>,
    ) -> u32 {
        if settle.first.write && !self.disjoint {
            return u32::MAX;
        }
        let mut left = 0;
        for wanted in &self.words {
            let at = start.wrapping_add(wanted.distance) as usize;
            if !settle.word(&mut shadow.parts(at / 4)[at % 4], wanted) {
                left |= wanted.lanes;
            }
        }
        left
    }
}

/// Histories ([`Entry::history`]) of the words so far, for which the answer is known.
struct KnownHistories {
    /// Of a write that is ordered before the access.
    write: u64,
    /// Of readers that stay as they are.
    stays: u64,
    /// Of readers that the present access replaces; for a write, of readers ordered before it.
    yields: u64,
}

/// One access, word by word.
pub(super) struct Settle<'a> {
    /// The first lane's access, which is plain or a `volatile` read.
    first: Now,
    one_block: bool,
    writers: Relations<'a>,
    readers: Relations<'a>,
    known: KnownHistories,
    /// Whether a word may have changed.
    changed: bool,
}

impl<'a> Settle<'a> {
    pub(super) fn new(first: Now, segments: &'a Segments, one_block: bool) -> Settle<'a> {
        Settle {
            first,
            one_block,
            writers: Relations::new(segments),
            readers: Relations::new(segments),
            known: KnownHistories { write: u64::MAX, stays: u64::MAX, yields: u64::MAX },
            changed: false,
        }
    }

    /// Settles a word. `false`: the access may conflict there, and the word is unchanged.
    #[inline(always)]
    fn word(&mut self, word: &mut Word, wanted: &PatternWord) -> bool {
        let me = self.first.me.of_lane(wanted.two[0]);
        let second = self.first.me.of_lane(wanted.two[1]);
        let alone = wanted.two[0] == wanted.two[1];
        // An access that conflicts with the volatile read conflicts with the plain one, which is
        // the one to report.
        let stronger = word.read.kind() == Kind::Volatile && self.first.me.kind() == Kind::Plain;
        if word.write.history() == self.known.write {
            let history = word.read.history();
            if history == self.known.stays && !stronger {
                return true;
            }
            if history == self.known.yields {
                if self.first.write {
                    word.write = me;
                } else if alone {
                    word.read = me;
                } else {
                    word.read = after_read(word.write, me, second, Relation::Same);
                }
                self.changed = true;
                return true;
            }
        }
        let Some(write) = self.ordered_write(word.write, me, alone) else { return false };
        let (read, relation) = self.reader(word.read);
        if self.first.write {
            self.changed = true;
            return self.write(word, read, relation, me);
        }
        let read = self.readers_after(word, (write, read), relation, (me, second), stronger);
        let after = Word { write, read };
        self.changed |= *word != after;
        *word = after;
        true
    }

    /// The last write, or nothing if it is left over from another block in the same storage. `None`
    /// if it may be unordered with the access.
    #[inline(always)]
    fn ordered_write(&mut self, write: Entry, me: Entry, alone: bool) -> Option<Entry> {
        if write.none() {
            self.known.write = 0;
            return Some(write);
        }
        let relation = self.writers.get(write, me);
        let ordered = matches!(relation, Relation::WarpEarlier | Relation::BlockEarlier);
        self.known.write = if ordered { write.history() } else { u64::MAX };
        if self.one_block && relation == Relation::OtherBlock {
            return Some(Entry::default());
        }
        let other_lane = !alone && matches!(relation, Relation::Same | Relation::WarpParted);
        if other_lane || unordered(relation, write, me.thread()) {
            self.known.write = u64::MAX;
            return None;
        }
        Some(write)
    }

    /// The readers, or nothing if they are left over from another block in the same storage.
    #[inline(always)]
    fn reader(&mut self, read: Entry) -> (Entry, Relation) {
        if read.none() {
            return (read, Relation::Same);
        }
        let relation = self.readers.get(read, self.first.me);
        let left_over = self.one_block && relation == Relation::OtherBlock;
        (if left_over { Entry::default() } else { read }, relation)
    }

    /// Writes a word, if its readers are ordered before.
    #[inline(always)]
    fn write(&mut self, word: &mut Word, read: Entry, relation: Relation, me: Entry) -> bool {
        if !read.none() && unordered(relation, read, me.thread()) {
            return false;
        }
        self.known.yields = match relation {
            _ if word.read.none() => 0,
            Relation::WarpEarlier | Relation::BlockEarlier => read.history(),
            _ => u64::MAX,
        };
        *word = Word { write: me, read };
        true
    }

    /// The readers of a word after one or two lanes more.
    #[inline(always)]
    fn readers_after(
        &mut self,
        word: &Word,
        (write, read): (Entry, Entry),
        relation: Relation,
        (me, second): (Entry, Entry),
        stronger: bool,
    ) -> Entry {
        let state = read.state();
        let gives_way = match relation {
            _ if read.none() => true,
            Relation::WarpEarlier => state < WARPS,
            Relation::BlockEarlier => state < BLOCKS,
            _ => false,
        };
        let says_all = match relation {
            Relation::Same | Relation::WarpParted => state >= LANES,
            Relation::OtherWarp => state >= WARPS,
            Relation::BlockEarlier | Relation::OtherBlock => state >= BLOCKS,
            Relation::WarpEarlier => false,
        };
        let alone = me == second;
        if gives_way {
            self.known.yields = word.read.history();
            return if alone { me } else { after_read(write, me, second, Relation::Same) };
        }
        if says_all && !stronger {
            self.known.stays = read.history();
            return read;
        }
        let read = after_read(write, read, me, relation);
        if alone {
            return read;
        }
        let own = read.segment() == me.segment();
        after_read(write, read, second, if own { Relation::Same } else { relation })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A load that has settled every word is idle until a word changes, and as another access it is none.
    #[test]
    fn a_repeated_load_is_idle_until_a_word_changes() {
        let segments = Segments::new(false);
        let words = (0..32u8).map(|lane| PatternWord {
            distance: u32::from(lane) * 12,
            lanes: 1 << lane,
            two: [lane; 2],
        });
        let mut words =
            PatternWords { disjoint: true, words: words.collect(), ..Default::default() };
        let (mut shadow, object) = (Shadow::default(), Some(0));
        let first = Now { me: Entry::new(1, 0, 3, Kind::Plain), write: false };
        let load = |words: &mut PatternWords, shadow: &mut Shadow| {
            words.settle(shadow, object, 8, &mut Settle::new(first, &segments, false))
        };
        assert_eq!(load(&mut words, &mut shadow), 0);
        assert!(!words.unchanged(&shadow, object, 8, first), "it was the first: it changed words");
        assert_eq!(load(&mut words, &mut shadow), 0);
        assert!(words.unchanged(&shadow, object, 8, first));
        let later = Now { me: Entry::new(2, 0, 3, Kind::Plain), write: false };
        assert!(!words.unchanged(&shadow, object, 8, later));
        assert!(!words.unchanged(&shadow, object, 12, first));
        assert!(!words.unchanged(&shadow, Some(1), 8, first));
        assert!(!words.unchanged(&shadow, None, 8, first));
        // Lane 1 writes what lane 2 reads.
        shadow.page(0)[8] = Word { write: first.me.of_lane(1), read: Entry::default() };
        assert!(!words.unchanged(&shadow, object, 8, first));
        assert_eq!(load(&mut words, &mut shadow), 1 << 2, "the lane that races");
        assert!(!words.unchanged(&shadow, object, 8, first), "what is left was not settled");
        shadow.parts(8);
        assert!(!words.unchanged(&shadow, object, 8, first));
    }
}
