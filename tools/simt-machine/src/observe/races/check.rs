//! Checks an access word by word against shadow memory. The common cases have fast paths.

use super::fast_path::{PatternWords, Settle};
use super::segments::{Relation, Segments};
use super::shadow::{Entry, Kind, LANES, LINE, MAX_SEGMENT, PAGE, Shadow, Word};
use super::word_state::{Conflict, Now, Relations, access_word};
use crate::event::{Access, AccessKind, Shape, Space, WarpContext};
use crate::lanes::{FULL, lanes_of};

/// An access that is being checked.
#[derive(Debug)]
pub(super) struct Check<'a> {
    context: &'a WarpContext<'a>,
    access: &'a Access<'a>,
    relations: Relations<'a>,
    /// How the access is done, in lanes that are not in `plain_lanes`.
    kind: Kind,
    /// Lanes whose volatile write releases nothing: it counts as plain.
    plain_lanes: u32,
    /// The number of its source position.
    site: u16,
    write: bool,
    /// No other block accesses this memory: what is left of one is over.
    one_block: bool,
    /// All lanes are in one segment.
    one_segment: bool,
    /// The lanes that race, with the offset of the word (or byte).
    pub(super) conflicts: Vec<(usize, u32, Conflict)>,
}

impl<'a> Check<'a> {
    #[inline(always)]
    pub(super) fn new(
        (context, access): (&'a WarpContext<'a>, &'a Access<'a>),
        segments: &'a Segments,
        (kind, plain_lanes, site): (Kind, u32, u16),
        clusters: bool,
    ) -> Check<'a> {
        let mut relations = Relations::new(segments);
        relations.of_cluster = clusters && access.space == Space::Shared;
        let first = context.segments[(access.lanes.trailing_zeros() & 31) as usize];
        let differ = context.segments.iter().fold(0, |differ, segment| differ | (segment ^ first));
        Check {
            context,
            access,
            relations,
            kind,
            plain_lanes,
            site,
            write: access.kind != AccessKind::Load,
            one_block: access.space == Space::Shared && !clusters,
            one_segment: differ == 0,
            conflicts: Vec::new(),
        }
    }

    /// Whether the segments of all lanes have numbers that fit an entry.
    pub(super) fn fits(&self) -> bool {
        let fits = |lane: usize| self.context.segments[lane] <= MAX_SEGMENT;
        match self.one_segment {
            true => fits((self.access.lanes.trailing_zeros() & 31) as usize),
            false => lanes_of(self.access.lanes).all(fits),
        }
    }

    /// Checks all lanes, from the fastest way to the slowest.
    #[inline(always)]
    pub(super) fn run(&mut self, shadow: &mut Shadow, words: &mut PatternWords) {
        let access = self.access;
        let mut lanes = access.lanes;
        if access.shape == Shape::Uniform && !self.write {
            // Shadow memory keeps two readers of a word, so the first and the last lane are enough.
            lanes = 1 << lanes.trailing_zeros() | 1 << (31 - lanes.leading_zeros());
        }
        if self.one_segment
            && let Some(kind) = self.one_kind()
        {
            let done = match access.width {
                4 => self.lines(shadow, lanes, 1),
                8 | 16 => self.wide_lines(shadow, lanes),
                _ => false,
            };
            if done {
                return;
            }
            if access.pattern != 0 && access.width <= 4 {
                words.learn(access);
                let segment = self.context.segments[lanes.trailing_zeros() as usize];
                let me = Entry::new(segment, self.context.warp * 32, self.site, kind);
                let first = Now { me, write: self.write };
                let global = access.space == Space::Global && access.width == 4;
                let object = global.then_some(access.object);
                if words.unchanged(shadow, object, access.offsets[0], first) {
                    return;
                }
                let mut settle = Settle::new(first, self.relations.segments, self.one_block);
                lanes &= match access.width {
                    4 => words.settle(shadow, object, access.offsets[0], &mut settle),
                    _ => words.settle_bytes(shadow, access.offsets[0], &mut settle),
                };
            }
        }
        if lanes == 0 {
            return;
        }
        if access.shape == Shape::Scattered {
            shadow.touch(lanes_of(lanes).map(|lane| access.offsets[lane] as usize / 4));
        }
        match self.one_segment && !access.kind.is_atomic() {
            true if access.width >= 4 => self.words(shadow, lanes),
            true => self.parts(shadow, lanes),
            false => lanes_of(lanes).for_each(|lane| self.lane(shadow, lane)),
        }
    }

    /// The kind of all lanes, if the fast paths know it.
    fn one_kind(&self) -> Option<Kind> {
        match self.kind {
            Kind::Volatile if self.plain_lanes == self.access.lanes => Some(Kind::Plain),
            Kind::Volatile if self.write => None,
            Kind::Plain | Kind::Volatile => Some(self.kind),
            Kind::Atomic | Kind::AtomicBlock => None,
        }
    }

    /// The access of one lane.
    #[inline(always)]
    fn now(&self, lane: usize) -> Now {
        let kind = if self.plain_lanes >> lane & 1 == 1 { Kind::Plain } else { self.kind };
        let thread = self.context.warp * 32 + lane as u32;
        let me = Entry::new(self.context.segments[lane], thread, self.site, kind);
        Now { me, write: self.write }
    }

    /// Fast path: a whole warp accesses lines that only whole warps accessed, each lane so many words
    /// (1, 2 or 4). Whether it is done.
    #[inline(always)]
    fn lines(&mut self, shadow: &mut Shadow, lanes: u32, words: usize) -> bool {
        let start = self.access.offsets[0] as usize / 4;
        let whole = self.access.shape == Shape::Contiguous
            && lanes == FULL
            && start & (LINE * words - 1) == 0;
        if !whole {
            return false;
        }
        let Some(lines) = shadow.lines(start, words) else { return false };
        let (mut before, mut changed) = ([Word::default(); 4], false);
        for at in 0..words {
            before[at] = lines[at];
            // What holds for the first lane of a line holds for all of its lanes.
            let now = self.now(at * (LINE / words));
            if access_word(&mut self.relations, self.one_block, &mut lines[at], now).is_some() {
                lines[..=at].copy_from_slice(&before[..=at]);
                return false;
            }
            changed |= lines[at] != before[at];
        }
        if changed {
            shadow.changed();
        }
        true
    }

    /// The same for lanes that access 2 or 4 words each, compiled apart to stay small.
    #[inline(never)]
    fn wide_lines(&mut self, shadow: &mut Shadow, lanes: u32) -> bool {
        self.lines(shadow, lanes, self.access.width as usize / 4)
    }

    /// Whole words of lanes in one segment.
    #[inline(always)]
    fn words(&mut self, shadow: &mut Shadow, lanes: u32) {
        let offsets = self.access.offsets;
        let mut ordered = OrderedCache::default();
        for part in 0..self.access.width / 4 {
            let mut page = offsets[lanes.trailing_zeros() as usize] as usize / 4 / PAGE;
            let mut words = shadow.page(page);
            for lane in lanes_of(lanes) {
                let at = (offsets[lane] / 4 + part) as usize;
                if at / PAGE != page {
                    page = at / PAGE;
                    words = shadow.page(page);
                }
                let word = &mut words[at % PAGE];
                let now = self.now(lane);
                if ordered.settles(word, now) {
                    continue;
                }
                if Shadow::split(*word) {
                    self.split_word(shadow, lane, at as u32);
                    words = shadow.page(page);
                    continue;
                }
                let before = *word;
                self.word(word, lane, at as u32 * 4, now);
                ordered.learn(self.relations.segments, before, now);
            }
        }
    }

    /// Bytes of words, of lanes in one segment.
    #[inline(never)]
    fn parts(&mut self, shadow: &mut Shadow, lanes: u32) {
        let (offsets, width) = (self.access.offsets, self.access.width as usize);
        let mut ordered = OrderedCache::default();
        for lane in lanes_of(lanes) {
            let (offset, now) = (offsets[lane], self.now(lane));
            let first = (offset % 4) as usize;
            for byte in &mut shadow.parts(offset as usize / 4)[first..first + width] {
                if ordered.settles(byte, now) {
                    continue;
                }
                let before = *byte;
                self.word(byte, lane, offset, now);
                ordered.learn(self.relations.segments, before, now);
            }
        }
    }

    /// One lane of any access.
    #[inline(always)]
    fn lane(&mut self, shadow: &mut Shadow, lane: usize) {
        let (offset, width, now) = (self.access.offsets[lane], self.access.width, self.now(lane));
        if width < 4 {
            let first = (offset % 4) as usize;
            for byte in &mut shadow.parts(offset as usize / 4)[first..first + width as usize] {
                self.word(byte, lane, offset, now);
            }
            return;
        }
        for at in offset / 4..(offset + width) / 4 {
            let word = &mut shadow.page(at as usize / PAGE)[at as usize % PAGE];
            if Shadow::split(*word) {
                self.split_word(shadow, lane, at);
            } else {
                self.word(word, lane, at * 4, now);
            }
        }
    }

    /// All bytes of a word that is accessed by bytes elsewhere.
    fn split_word(&mut self, shadow: &mut Shadow, lane: usize, at: u32) {
        let now = self.now(lane);
        for (offset, byte) in (at * 4..).zip(shadow.parts(at as usize)) {
            self.word(byte, lane, offset, now);
        }
    }

    #[inline(always)]
    fn word(&mut self, word: &mut Word, lane: usize, offset: u32, now: Now) {
        if let Some(conflict) = access_word(&mut self.relations, self.one_block, word, now) {
            if self.conflicts.is_empty() {
                self.conflicts.reserve(32);
            }
            self.conflicts.push((lane, offset, conflict));
        }
    }
}

/// Fast path: segments that are known to be ordered before this access, in the same block. Most words of
/// an access were last accessed in the same segment as its first word.
#[derive(Debug, Clone, Copy, Default)]
struct OrderedCache {
    write: u32,
    read: u32,
}

impl OrderedCache {
    /// Updates a word, if the access certainly conflicts with nothing.
    #[inline(always)]
    fn settles(&self, word: &mut Word, now: Now) -> bool {
        let (w, r, me) = (word.write, word.read, now.me);
        let alone = |e: Entry| e.0 >> 24 == me.0 >> 24 && e.state() == 0;
        let write_ordered = w.none() || alone(w) || (w.segment() == self.write && w.state() == 0);
        if !write_ordered || Shadow::split(*word) {
            return false;
        }
        let read_ordered = r.none() || (r.segment() == self.read && r.state() <= LANES);
        if now.write {
            if !(read_ordered || alone(r)) || w.kind().atomic() {
                return false;
            }
            word.write = me;
            return true;
        }
        if read_ordered {
            word.read = me;
            return true;
        }
        // It was read in this segment before, at the same source position, by this thread or several.
        r.segment() == me.segment()
            && r.site() == me.site()
            && r.kind() == me.kind()
            && (r.state() >= LANES || r.thread() == me.thread())
    }

    /// Remembers what was found about a word.
    fn learn(&mut self, segments: &Segments, before: Word, now: Now) {
        let earlier = |then: Entry| {
            !then.none()
                && matches!(
                    segments.relation(then.segment(), now.me.segment()),
                    Relation::WarpEarlier | Relation::BlockEarlier
                )
        };
        if earlier(before.write) {
            self.write = before.write.segment();
        }
        if earlier(before.read) {
            self.read = before.read.segment();
        }
    }
}
