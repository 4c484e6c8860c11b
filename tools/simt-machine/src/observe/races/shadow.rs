//! Shadow memory: for each word the last write and a summary of the reads.
//!
//! As in FastTrack, one access is an *epoch* in 64 bits: a thread, and a time that is the number of a
//! segment ([`super::segments`]). FastTrack widens concurrent reads to a vector clock; here two bits
//! say who else read (lanes, warps or blocks), and at most two readers are known, as in HiRace's
//! states per level of the thread hierarchy.
//!
//! Shadow pages exist only where a thread went. While only whole warps access a page, each lane the
//! words behind those of the lane before, two entries per line of 32 words say the same. Bytes of
//! one word may belong to different threads (arrays of `char`): a word that is accessed by bytes has
//! four pairs of entries in a separate table.

use std::hint::black_box;

/// An access in shadow memory.
///
/// ```text
/// 63       34 33   24 23   14 13        12    4 3  2 1   0
///  segment  | thread| other |elsewhere|  site |kind|state
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Entry(pub(crate) u64);

/// Later segments are not tracked.
pub(crate) const MAX_SEGMENT: u32 = (1 << 30) - 2;
/// Source positions that do not fit share this number.
pub(crate) const MAX_SITE: u16 = 511;

/// How an access is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Plain,
    Volatile,
    /// An atomic with the scope of the device.
    Atomic,
    /// An atomic with the scope of its block, or one of any scope over a plain write of the same block:
    /// it is not atomic for other blocks.
    AtomicBlock,
}

impl Kind {
    pub(crate) fn atomic(self) -> bool {
        matches!(self, Kind::Atomic | Kind::AtomicBlock)
    }
}

/// The level of the other threads that did the same, unordered with the thread of the entry. (0: there
/// are none.)
pub(crate) const LANES: u64 = 1;
pub(crate) const WARPS: u64 = 2;
pub(crate) const BLOCKS: u64 = 3;

impl Entry {
    #[inline(always)]
    pub(crate) fn new(segment: u32, thread: u32, site: u16, kind: Kind) -> Entry {
        Entry(
            u64::from(segment) << 34
                | u64::from(thread) << 24
                | u64::from(site) << 4
                | (kind as u64) << 2,
        )
    }

    #[inline(always)]
    pub(crate) fn segment(self) -> u32 {
        (self.0 >> 34) as u32
    }

    #[inline(always)]
    pub(crate) fn thread(self) -> u32 {
        (self.0 >> 24) as u32 & 1023
    }

    /// The entry of another lane, if this is lane 0's: the threads of a warp have adjacent numbers.
    #[inline(always)]
    pub(crate) fn of_lane(self, lane: u8) -> Entry {
        Entry(self.0 | u64::from(lane) << 24)
    }

    /// The entry without its thread.
    pub(crate) fn of_thread_0(self) -> Entry {
        Entry(self.0 & !(1023 << 24))
    }

    /// The entry of the lane that is so many behind, if this is a line's entry.
    fn at_lane(self, lane: u64) -> Entry {
        let others = if self.state() == 0 { 0 } else { lane << 14 };
        if self.none() { self } else { Entry(self.0 | lane << 24 | others) }
    }

    /// A second thread that did the same, if the state is [`LANES`] or [`WARPS`].
    pub(crate) fn other(self) -> u32 {
        (self.0 >> 14) as u32 & 1023
    }

    /// Whether others may have done it at another source position than [`Entry::site`].
    pub(crate) fn elsewhere(self) -> bool {
        self.0 >> 13 & 1 == 1
    }

    #[inline(always)]
    pub(crate) fn with_elsewhere(self, elsewhere: bool) -> Entry {
        Entry(self.0 & !(1 << 13) | u64::from(elsewhere) << 13)
    }

    pub(crate) fn site(self) -> u16 {
        (self.0 >> 4) as u16 & MAX_SITE
    }

    #[inline(always)]
    pub(crate) fn kind(self) -> Kind {
        match self.0 >> 2 & 3 {
            0 => Kind::Plain,
            1 => Kind::Volatile,
            2 => Kind::Atomic,
            _ => Kind::AtomicBlock,
        }
    }

    /// The same as [`Kind::AtomicBlock`].
    #[inline(always)]
    pub(crate) fn in_block(self) -> Entry {
        Entry(self.0 | (Kind::AtomicBlock as u64) << 2)
    }

    #[inline(always)]
    pub(crate) fn state(self) -> u64 {
        self.0 & 3
    }

    #[inline(always)]
    pub(crate) fn with_state(self, state: u64) -> Entry {
        Entry(self.0 & !3 | state)
    }

    #[inline(always)]
    pub(crate) fn with_other(self, thread: u32) -> Entry {
        Entry(self.0 & !(1023 << 14) | u64::from(thread) << 14)
    }

    /// The segment and the state, which decide whether the entry is ordered before an access of another
    /// segment. (0: [`Entry::none`].)
    #[inline(always)]
    pub(crate) fn history(self) -> u64 {
        self.0 & (u64::from(u32::MAX) << 34 | 3)
    }

    #[inline(always)]
    pub(crate) fn none(self) -> bool {
        self.0 == 0
    }
}

/// The last write and the reads of one word (or byte).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Word {
    pub(crate) write: Entry,
    pub(crate) read: Entry,
}

/// As `write` of a word that is accessed by bytes: `read` is an index into [`Shadow::parts`].
const PARTS: Entry = Entry(u64::MAX);

/// Words per page.
pub(crate) const PAGE: usize = 1024;

/// So many pages fit a core's cache.
const FEW_PAGES: usize = 16;

/// Words per line: one for each lane of a warp that accesses words.
pub(crate) const LINE: usize = 32;

/// A page while only whole warps access it: for each line the entries of its first word. Those of
/// the other words differ in the thread alone.
#[derive(Debug, Default)]
struct Lines {
    /// 1, 2 or 4: how many words each lane accesses, in all lines of the page. 0: none yet.
    words_per_lane: u8,
    entries: [Word; PAGE / LINE],
}

/// The shadow of one object, or of a block's shared memory.
#[derive(Debug, Default)]
pub(crate) struct Shadow {
    /// By page, while only whole warps accessed it.
    lines: Vec<Option<Box<Lines>>>,
    /// Both as long as the highest page that was accessed.
    pages: Vec<Option<Box<[Word; PAGE]>>>,
    parts: Vec<[Word; 4]>,
    /// Counts what may have changed it.
    version: u64,
}

impl Shadow {
    /// The page of a word, word by word.
    #[inline(always)]
    pub(crate) fn page(&mut self, page: usize) -> &mut [Word; PAGE] {
        self.version += 1;
        self.same_page(page)
    }

    /// While this number stays, no word changes.
    #[inline(always)]
    pub(super) fn version(&self) -> u64 {
        self.version
    }

    /// The same for a caller who says by [`Shadow::changed`] that it has changed a word.
    #[inline(always)]
    pub(super) fn same_page(&mut self, page: usize) -> &mut [Word; PAGE] {
        if page >= self.pages.len() {
            self.grow(page);
        }
        self.pages[page].get_or_insert_with(|| spelled_out(&mut self.lines[page]))
    }

    /// Looks at words before they are accessed one after the other: so the cache misses overlap. A small
    /// shadow is in the cache.
    #[inline(always)]
    pub(crate) fn touch(&self, words: impl Iterator<Item = usize>) {
        if self.pages.len() < FEW_PAGES {
            return;
        }
        let mut all = 0;
        for at in words {
            if let Some(Some(page)) = self.pages.get(at / PAGE) {
                let word = page[at % PAGE];
                let split = Shadow::split(word);
                all |=
                    if split { self.parts[word.read.0 as usize][0].write.0 } else { word.write.0 };
            }
        }
        black_box(all);
    }

    /// The lines from a word on that a warp accesses, if the page is kept by lines for lanes of so
    /// many words: as many lines.
    #[inline(always)]
    pub(crate) fn lines(&mut self, at: usize, words_per_lane: usize) -> Option<&mut [Word]> {
        if at / PAGE >= self.pages.len() {
            self.grow(at / PAGE);
        }
        if self.pages[at / PAGE].is_some() {
            return None;
        }
        let lines = self.lines[at / PAGE].get_or_insert_with(Box::default);
        if usize::from(lines.words_per_lane) != words_per_lane {
            if lines.words_per_lane != 0 {
                return None;
            }
            lines.words_per_lane = words_per_lane as u8;
        }
        let first = at % PAGE / LINE;
        lines.entries.get_mut(first..first + words_per_lane)
    }

    #[inline(always)]
    pub(super) fn changed(&mut self) {
        self.version += 1;
    }

    #[cold]
    fn grow(&mut self, page: usize) {
        self.lines.resize_with(page + 1, || None);
        self.pages.resize_with(page + 1, || None);
    }

    /// Whether a word is accessed by bytes.
    #[inline(always)]
    pub(crate) fn split(word: Word) -> bool {
        word.write == PARTS
    }

    /// The bytes of a word, which is split if it was not.
    pub(crate) fn parts(&mut self, at: usize) -> &mut [Word; 4] {
        let word = self.page(at / PAGE)[at % PAGE];
        if Shadow::split(word) {
            return &mut self.parts[word.read.0 as usize];
        }
        self.parts.push([word; 4]);
        let index = self.parts.len() - 1;
        self.page(at / PAGE)[at % PAGE] = Word { write: PARTS, read: Entry(index as u64) };
        &mut self.parts[index]
    }
}

/// A page word by word, from its lines if it has some.
#[cold]
fn spelled_out(lines: &mut Option<Box<Lines>>) -> Box<[Word; PAGE]> {
    // A vector avoids building the page on the stack.
    let words = vec![Word::default(); PAGE].into_boxed_slice();
    let mut words: Box<[Word; PAGE]> =
        words.try_into().unwrap_or_else(|_| Box::new([Word::default(); PAGE]));
    let Some(lines) = lines.take() else { return words };
    for (line, words) in lines.entries.iter().zip(words.chunks_mut(LINE)) {
        for (lane, words) in (0..).zip(words.chunks_mut(lines.words_per_lane.max(1).into())) {
            let (write, read) = (line.write.at_lane(lane), line.read.at_lane(lane));
            words.fill(Word { write, read });
        }
    }
    words
}
