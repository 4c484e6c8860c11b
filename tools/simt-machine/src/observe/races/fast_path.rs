//! Word by word instead of lane by lane.
//!
//! Where the lanes of an access lie as they did before ([`Access::pattern`]), it is known which of
//! them meet at a word, and a word is looked at once, not once for each of its lanes: of those who
//! read it together, two say as much as all ([`crate::observe::races::remember`] keeps two). What is found to
//! conflict with nothing is settled here. Everything else is left, unchanged, to the checks lane
//! by lane: they know every case, and they name the lanes in order.
//!
//! [`Access::pattern`]: crate::observe::races::Access::pattern

use crate::machine::simd::lanes_of;
use crate::observe::event::Access;
use crate::observe::races::shadow::{
    BLOCKS, Entry, Kind, LANES, PAGE, Relation, Segments, Shadow, WARPS, Word,
};
use crate::observe::races::{Now, after_read, unordered};

/// The words of an instruction's last pattern.
#[derive(Debug, Clone, Default)]
pub(crate) struct PatternWords {
    pattern: u64,
    words: Vec<PatternWord>,
    /// Whether every lane has a word of its own.
    apart: bool,
}

/// A word of a pattern.
#[derive(Debug, Clone, Copy)]
struct PatternWord {
    /// Bytes from the first lane's place, wrapping.
    place: u32,
    /// Who wants it.
    lanes: u32,
    /// Two of them, the first ones; the same twice if there is one only.
    two: [u8; 2],
}

impl PatternWords {
    /// Learns the pattern of an access of four bytes a lane.
    pub(crate) fn of(&mut self, access: &Access<'_>) {
        if self.pattern == access.pattern {
            return;
        }
        self.pattern = access.pattern;
        self.words.clear();
        for lane in lanes_of(access.lanes) {
            let place = access.offsets[lane].wrapping_sub(access.offsets[0]);
            match self.words.iter_mut().find(|w| w.place == place) {
                Some(word) => {
                    if word.two[0] == word.two[1] {
                        word.two[1] = lane as u8;
                    }
                    word.lanes |= 1 << lane;
                }
                None => {
                    self.words.push(PatternWord { place, lanes: 1 << lane, two: [lane as u8; 2] });
                }
            }
        }
        self.apart = self.words.len() == 32;
        if let [all] = &mut self.words[..] {
            // As lane by lane: the two ends.
            all.two[1] = 31;
        }
    }

    /// Remembers the access at every word where it is clear that it conflicts with nothing. The
    /// lanes of the other words are returned. `first` is the first lane's entry, whose access is
    /// plain, or a `volatile` read; the other lanes' follow it.
    pub(crate) fn settle(
        &self,
        shadow: &mut Shadow,
        segments: &Segments,
        shared: bool,
        start: u32,
        first: Now,
    ) -> u32 {
        if first.write && !self.apart {
            return u32::MAX;
        }
        let now = first.me.segment();
        let (mut writer, mut reader) = (LastRelation::none(now), LastRelation::none(now));
        let mut known = OrderedHistories { write: u64::MAX, stays: u64::MAX, yields: u64::MAX };
        let mut left = 0;
        let mut page = usize::MAX;
        let mut words: &mut [Word] = &mut [];
        for wanted in &self.words {
            let at = start.wrapping_add(wanted.place) as usize / 4;
            if at / PAGE != page {
                page = at / PAGE;
                words = &mut shadow.page(page)[..];
            }
            let word = &mut words[at % PAGE];
            if Shadow::split(*word) {
                left |= wanted.lanes;
                continue;
            }
            let (mut w, mut r) = (word.write, word.read);
            let me = first.me.of_lane(wanted.two[0]);
            let second = first.me.of_lane(wanted.two[1]);
            let alone = wanted.two[0] == wanted.two[1];
            // Who conflicts with the strong read conflicts with the plain one, and is told of that.
            let stronger = r.kind() == Kind::Volatile && first.me.kind() == Kind::Plain;
            // As the words before it, mostly.
            if w.history() == known.write {
                if r.history() == known.stays && !stronger {
                    continue;
                }
                if r.history() == known.yields {
                    if first.write {
                        word.write = me;
                    } else {
                        let pair = || after_read(w, me, second, Relation::Same);
                        word.read = if alone { me } else { pair() };
                    }
                    continue;
                }
            }
            if w.none() {
                known.write = 0;
            } else {
                let relation = writer.relation(segments, w);
                let ordered = matches!(relation, Relation::WarpEarlier | Relation::BlockEarlier);
                known.write = if ordered { w.history() } else { u64::MAX };
                if shared && relation == Relation::OtherBlock {
                    w = Entry::default();
                } else if unordered(relation, w, me.thread())
                    || (!alone && matches!(relation, Relation::Same | Relation::WarpParted))
                {
                    known.write = u64::MAX;
                    left |= wanted.lanes;
                    continue;
                }
            }
            let mut relation = Relation::Same;
            if !r.none() {
                relation = reader.relation(segments, r);
                if shared && relation == Relation::OtherBlock {
                    r = Entry::default();
                }
            }
            if first.write {
                if !r.none() && unordered(relation, r, me.thread()) {
                    left |= wanted.lanes;
                    continue;
                }
                known.yields = match relation {
                    _ if word.read.none() => 0,
                    Relation::WarpEarlier | Relation::BlockEarlier => r.history(),
                    _ => u64::MAX,
                };
                *word = Word { write: me, read: r };
                continue;
            }
            let state = r.state();
            let gives_way = match relation {
                _ if r.none() => true,
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
            if gives_way {
                known.yields = word.read.history();
                r = if alone { me } else { after_read(w, me, second, Relation::Same) };
            } else if says_all && !stronger {
                known.stays = r.history();
            } else {
                r = after_read(w, r, me, relation);
                if !alone {
                    let own = r.segment() == now;
                    r = after_read(w, r, second, if own { Relation::Same } else { relation });
                }
            }
            *word = Word { write: w, read: r };
        }
        left
    }
}

/// Histories ([`Entry::history`]) of words that need no second thought.
struct OrderedHistories {
    /// Of writes that are ordered before the access.
    write: u64,
    /// Of readers that are remembered as they are.
    stays: u64,
    /// Of readers that give way to those of now; of a writer, that are ordered before it.
    yields: u64,
}

/// How the stretch that was asked for last stands to the present one: words of one access mostly
/// met the same before.
struct LastRelation {
    now: u32,
    then: u32,
    relation: Relation,
}

impl LastRelation {
    fn none(now: u32) -> LastRelation {
        LastRelation { now, then: now, relation: Relation::Same }
    }

    #[inline(always)]
    fn relation(&mut self, segments: &Segments, then: Entry) -> Relation {
        let then = then.segment();
        if then != self.then {
            self.then = then;
            self.relation = segments.relation(then, self.now);
        }
        self.relation
    }
}
