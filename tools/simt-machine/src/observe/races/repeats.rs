//! Lanes of one store that race alike: the first is reported, and the others are counted.
//!
//! Often a warp stores one value to one word: a flag that says that something changed. Each lane
//! races with the one before it, and what [`report`](super::report) says of one it says of all. A
//! run may have tens of millions of these.

use super::RaceDetector;
use super::segments::Relation;
use super::shadow::{Entry, Kind};
use super::word_state::Conflict;
use crate::event::{Access, AccessKind, WarpContext};
use crate::lanes::lanes_of;
use crate::observe::findings::{Findings, Key};
use crate::observe::value;

/// A race of two lanes of a store that wrote the same value to the same word, as it was reported,
/// and the lanes that raced in the same way since.
#[derive(Debug)]
pub(super) struct Repeats {
    key: Key,
    offset: u32,
    value: u64,
    /// The entry of the earlier lane, as if it were thread 0.
    then: Entry,
    /// The lanes of both sides, and how many races there were.
    lanes: u32,
    count: u64,
}

impl Repeats {
    /// After the report of such a race: `None` if other lanes may not race alike.
    pub(super) fn new(access: &Access<'_>, key: Key, offset: u32, c: Conflict) -> Option<Repeats> {
        let alike = access.kind == AccessKind::Store
            && !access.volatile
            && c.relation == Relation::Same
            && c.then_writes
            && c.read.is_none()
            && c.then.kind() == Kind::Plain;
        let lane = c.then.thread() as usize % 32;
        let value = value::stored(access, lane).filter(|_| alike)?;
        Some(Repeats { key, offset, value, then: c.then.of_thread_0(), lanes: 0, count: 0 })
    }

    /// Whether a lane races in the same way, and is counted.
    pub(super) fn includes(
        &mut self,
        access: &Access<'_>,
        lane: usize,
        offset: u32,
        c: Conflict,
    ) -> bool {
        let twin = c.then.thread() as usize % 32;
        let wrote = |lane: usize| {
            access.offsets[lane] == access.offsets[twin]
                && value::stored(access, lane) == Some(self.value)
        };
        let alike = offset == self.offset
            && c.relation == Relation::Same
            && c.then_writes
            && c.read.is_none()
            && c.then.of_thread_0() == self.then
            && twin != lane
            && access.lanes >> twin & 1 == 1
            && wrote(lane)
            && wrote(twin);
        if alike {
            self.lanes |= 1 << lane | 1 << twin;
            self.count += 1;
        }
        alike
    }
}

impl RaceDetector<'_> {
    /// Counts the races that were not reported one by one.
    pub(super) fn count_repeats(
        &mut self,
        context: &WarpContext<'_>,
        access: &Access<'_>,
        findings: &mut Findings,
        repeats: Option<Repeats>,
    ) {
        let Some(repeats) = repeats.filter(|repeats| repeats.count > 0) else { return };
        findings.count(&repeats.key, repeats.count);
        let threads = lanes_of(repeats.lanes).map(|lane| context.warp * 32 + lane as u32);
        let word = self.word_of(access, repeats.offset);
        let when = (context.block, context.phase);
        self.same_values.wrote(word, when, Some(repeats.value), threads);
    }
}
