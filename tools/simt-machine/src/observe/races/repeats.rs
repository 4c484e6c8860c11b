//! Lanes of one store that race alike: the first is reported, and the others are counted.
//!
//! Often a warp stores one value to one word: a flag that says that something changed. Each lane
//! races with the one before it. Or each lane marks a word of its own, which another warp has marked
//! before. What [`report`](super::report) says of one it says of all. A run may have tens of millions of
//! these.

use super::RaceDetector;
use super::segments::Relation;
use super::shadow::{Entry, Kind};
use super::word_state::Conflict;
use crate::event::{Access, AccessKind, Space, WarpContext};
use crate::lanes::lanes_of;
use crate::machine::prepared_kernel::PreparedKernel;
use crate::observe::findings::{Findings, Key};
use crate::observe::value;

/// A race of a store that wrote the value which was there, as it was reported, and how many lanes raced
/// in the same way since.
#[derive(Debug)]
pub(super) struct Repeats {
    key: Key,
    count: u64,
    with: With,
}

/// Whom the store races with.
#[derive(Debug)]
enum With {
    /// With another lane of it, at the same word.
    Lane {
        offset: u32,
        value: u64,
        /// The entry of the earlier lane, as if it were thread 0.
        then: Entry,
        /// The lanes of both sides.
        lanes: u32,
    },
    /// With an earlier store of another thread, at this source position.
    Earlier { relation: Relation, site: u16 },
}

/// Whether a conflict is one with a plain write, and no other.
fn plain(access: &Access<'_>, c: Conflict) -> bool {
    access.kind == AccessKind::Store
        && !access.volatile
        && c.then_writes
        && c.then.kind() == Kind::Plain
}

/// Whether it is one with an earlier store, by another thread that is known.
fn earlier(access: &Access<'_>, me: u32, c: Conflict) -> bool {
    let (twin, lane) = (c.then.thread() as usize % 32, me as usize % 32);
    let known = match c.relation {
        // Not by another lane of this store.
        Relation::Same => {
            let both = access.lanes >> twin & 1 == 1;
            twin != lane && !(both && access.offsets[twin] == access.offsets[lane])
        }
        Relation::OtherWarp | Relation::OtherBlock => true,
        _ => false,
    };
    known && plain(access, c)
}

impl Repeats {
    /// After the report of such a race with another lane: `None` if other lanes may not race alike.
    pub(super) fn of_lanes(
        access: &Access<'_>,
        key: Key,
        offset: u32,
        c: Conflict,
    ) -> Option<Repeats> {
        let alike = plain(access, c) && c.relation == Relation::Same && c.read.is_none();
        let value = value::stored(access, c.then.thread() as usize % 32).filter(|_| alike)?;
        let with = With::Lane { offset, value, then: c.then.of_thread_0(), lanes: 0 };
        Some(Repeats { key, count: 0, with })
    }

    /// The same for a race with an earlier store, about an array in global memory.
    pub(super) fn of_earlier(
        access: &Access<'_>,
        key: Key,
        me: u32,
        c: Conflict,
    ) -> Option<Repeats> {
        let alike = earlier(access, me, c) && access.space == Space::Global;
        let with = With::Earlier { relation: c.relation, site: c.then.site() };
        alike.then_some(Repeats { key, count: 0, with })
    }

    /// Whether a lane races in the same way, and is counted.
    pub(super) fn includes(
        &mut self,
        prepared: &PreparedKernel<'_>,
        access: &Access<'_>,
        lane: usize,
        offset: u32,
        c: Conflict,
    ) -> bool {
        let alike = plain(access, c)
            && match &mut self.with {
                With::Lane { offset: of, value, then, lanes } => {
                    let twin = c.then.thread() as usize % 32;
                    let wrote = |lane: usize| {
                        access.offsets[lane] == access.offsets[twin]
                            && value::stored(access, lane) == Some(*value)
                    };
                    let alike = offset == *of
                        && c.relation == Relation::Same
                        && c.read.is_none()
                        && c.then.of_thread_0() == *then
                        && twin != lane
                        && access.lanes >> twin & 1 == 1
                        && wrote(lane)
                        && wrote(twin);
                    *lanes |= if alike { 1 << lane | 1 << twin } else { 0 };
                    alike
                }
                With::Earlier { relation, site } => {
                    let stored = value::stored(access, lane);
                    (c.relation, c.then.site()) == (*relation, *site)
                        && earlier(access, lane as u32, c)
                        && stored.is_some()
                        && stored == value::current(prepared, access, offset)
                }
            };
        self.count += u64::from(alike);
        alike
    }
}

impl RaceDetector<'_> {
    /// Whether a race is like one that was reported, and is counted with it.
    pub(super) fn repeats(
        &mut self,
        context: &WarpContext<'_>,
        access: &Access<'_>,
        repeats: &mut [Repeats],
        (lane, offset, c): (usize, u32, Conflict),
    ) -> bool {
        let mut like = None;
        for repeats in repeats {
            if repeats.includes(self.prepared, access, lane, offset, c) {
                like = Some(repeats);
                break;
            }
        }
        let Some(repeats) = like else { return false };
        if matches!(repeats.with, With::Earlier { .. }) && c.relation != Relation::OtherBlock {
            let (word, when) = (self.word_of(access, offset), (context.block, context.phase));
            let threads = [context.warp * 32 + lane as u32, c.then.thread()];
            self.same_values.wrote(word, when, value::stored(access, lane), threads);
        }
        true
    }

    /// Counts the races that were not reported one by one.
    pub(super) fn count_repeats(
        &mut self,
        context: &WarpContext<'_>,
        access: &Access<'_>,
        findings: &mut Findings,
        repeats: &mut [Repeats],
    ) {
        for repeats in repeats.iter_mut().filter(|repeats| repeats.count > 0) {
            findings.count(&repeats.key, std::mem::take(&mut repeats.count));
            let With::Lane { offset, value, lanes, .. } = &mut repeats.with else { continue };
            let (offset, lanes) = (*offset, std::mem::take(lanes));
            let threads = lanes_of(lanes).map(|lane| context.warp * 32 + lane as u32);
            let word = self.word_of(access, offset);
            let when = (context.block, context.phase);
            self.same_values.wrote(word, when, Some(*value), threads);
        }
    }
}
