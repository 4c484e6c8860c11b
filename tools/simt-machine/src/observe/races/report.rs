//! What is reported about a race: classify the conflict, decide whether to report it, put it into
//! words ([`super::message`]).
//!
//! The words follow from the two threads that are shown, not from how the conflict was noticed: two
//! lanes of a warp need `__syncwarp`, two warps of a block need `__syncthreads`, and no barrier
//! orders two blocks. A shadow word knows at most two threads and the source position of one. What is
//! not known is not claimed: the other side then has no position of its own.

use super::happens_before::word;
use super::message::Race;
use super::repeats::Repeats;
use super::segments::Relation;
use super::shadow::{BLOCKS, Entry, Kind, MAX_SITE};
use super::word_state::Conflict;
use super::{AccessSite, RaceDetector};
use crate::event::{Access, AccessKind, Space, WarpContext};
use crate::observe::diagnoses::uninitialised_memory;
use crate::observe::findings::Findings;
use crate::observe::{Class, value};

/// The other side, as far as it is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Other {
    /// Block and thread; `None` for a block that is not the one in the shadow.
    pub(super) who: Option<(u32, u32)>,
    /// Its source position, if that is certain.
    pub(super) site: Option<AccessSite>,
    pub(super) pair: Pair,
}

/// The level of the thread hierarchy at which the two threads differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pair {
    Lanes,
    Warps,
    Blocks,
}

/// One lane's side of a conflict.
#[derive(Clone, Copy)]
pub(super) struct Side<'e> {
    pub(super) context: &'e WarpContext<'e>,
    pub(super) access: &'e Access<'e>,
    pub(super) lane: usize,
    /// The word, or the byte, of the conflict.
    pub(super) offset: u32,
}

impl Side<'_> {
    /// The number of the thread in its block.
    pub(super) fn thread(&self) -> u32 {
        self.context.warp * 32 + self.lane as u32
    }

    /// Block and thread.
    fn who(&self) -> (u32, u32) {
        (self.context.block, self.thread())
    }
}

/// The values of the two sides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Values {
    /// What this lane stores.
    pub(super) stored: Option<u64>,
    /// What memory holds.
    pub(super) current: Option<u64>,
    /// What the earlier access wrote.
    pub(super) before: Option<u64>,
}

/// Whether both sides wrote the same value, which makes the race benign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SameValue {
    No,
    /// Two writes.
    Writes,
    /// A read by a thread that wrote the same value before.
    OwnRead,
}

impl RaceDetector<'_> {
    /// Reports the conflicts of an access that are races.
    #[cold]
    pub(super) fn report_all(
        &mut self,
        context: &WarpContext<'_>,
        access: &Access<'_>,
        findings: &mut Findings,
        conflicts: Vec<(usize, u32, Conflict)>,
    ) {
        // The bytes of a word mostly have one history: that is one conflict.
        let mut last = None;
        let mut repeats: Vec<Repeats> = Vec::new();
        self.same_values
            .touch(conflicts.iter().map(|&(_, offset, _)| self.word_of(access, offset)));
        for (lane, offset, c) in conflicts {
            if last.replace((lane, offset / 4, c)) == Some((lane, offset / 4, c))
                || self.repeats(context, access, &mut repeats, (lane, offset, c))
            {
                continue;
            }
            self.count_repeats(context, access, findings, &mut repeats);
            repeats.extend(self.report(context, access, findings, lane, offset, c));
        }
        self.count_repeats(context, access, findings, &mut repeats);
    }

    /// Reports a conflict, if it is a race. Returns what other lanes may repeat.
    fn report(
        &mut self,
        context: &WarpContext<'_>,
        access: &Access<'_>,
        findings: &mut Findings,
        lane: usize,
        offset: u32,
        c: Conflict,
    ) -> Option<Repeats> {
        let side = Side { context, access, lane, offset };
        let me = side.thread();
        let counted =
            c.then_writes && c.then.kind() == Kind::Atomic && access.space == Space::Global;
        if counted && self.happens_before.last(side.who(), access.object, offset) {
            return None;
        }
        if self.ordered(context, me, c) {
            if let Some((then, relation)) = c.read {
                let c = Conflict { then, then_writes: false, relation, read: None };
                self.report(context, access, findings, lane, offset, c);
            }
            return None;
        }
        let other = self.other(context, me, c.then, c.relation);
        let warp_synchronous = other.pair == Pair::Lanes && access.space == Space::Shared;
        if !warp_synchronous && self.is_flag(&side, &other, c) {
            return None;
        }
        let twin = self.twin(&side, &other, c);
        let current = value::current(self.prepared, access, offset);
        let before = match twin {
            Some(lane) => value::stored(access, lane),
            None => current,
        };
        let values = Values { stored: value::stored(access, lane), current, before };
        let same = self.same_value(&side, &other, c, values);
        let doubtful = same == SameValue::No && self.doubtful(&side, &other, c);
        let race = Race {
            prepared: self.prepared,
            side,
            other,
            conflict: c,
            values,
            same,
            twin: twin.is_some(),
            doubtful,
            lacks_fence: self.lacks_fence(&side, &other, c),
        };
        if same == SameValue::No && !c.then_writes && other.pair != Pair::Blocks {
            findings.raced(uninitialised_memory::word(context, access, offset));
        }
        // Of the cases of one finding the pair that is furthest apart is shown: its advice serves
        // the others.
        let span = race.span();
        let (from, to) = match other.site.map(|site| site.span) {
            Some(to) if to < span => (to, Some(span)),
            to => (span, to),
        };
        let object = value::object(self.prepared, access, offset).number
            | u32::from(same != SameValue::No) << 31
            | u32::from(same == SameValue::OwnRead) << 30;
        let key = (Class::Race, from, to, object);
        findings.add_ranked(key, other.pair as u8, || race.finding());
        if same != SameValue::Writes || self.happens_before.active() {
            return None;
        }
        match twin {
            Some(_) => Repeats::of_lanes(access, key, offset, c),
            None => Repeats::of_earlier(access, key, me, c),
        }
    }

    /// The word at an offset, whichever instruction accesses it.
    pub(super) fn word_of(&self, access: &Access<'_>, offset: u32) -> (u32, u32) {
        let object = match access.space {
            Space::Shared => u32::MAX,
            _ => value::object(self.prepared, access, offset).number,
        };
        (object, offset)
    }

    /// The thread that is unordered with `me`: the one in the shadow, or the second one if the first
    /// is ordered (it is `me`, or before a barrier).
    pub(super) fn other(
        &self,
        context: &WarpContext<'_>,
        me: u32,
        then: Entry,
        relation: Relation,
    ) -> Other {
        let first = match relation {
            Relation::Same | Relation::WarpParted => then.thread() != me,
            Relation::WarpEarlier | Relation::BlockEarlier => false,
            Relation::OtherWarp | Relation::OtherBlock => true,
        };
        let who = if first {
            Some((self.segments.block(then.segment()), then.thread()))
        } else if then.state() >= BLOCKS {
            None
        } else {
            Some((context.block, then.other()))
        };
        let certain = then.site() != MAX_SITE && (first || !then.elsewhere());
        let site =
            if certain { self.positions.get(usize::from(then.site())).copied() } else { None };
        let pair = match who {
            Some((block, thread)) if block == context.block && thread / 32 == me / 32 => {
                Pair::Lanes
            }
            Some((block, _)) if block == context.block => Pair::Warps,
            _ => Pair::Blocks,
        };
        Other { who, site, pair }
    }

    fn own_site(&self, access: &Access<'_>) -> Option<&AccessSite> {
        self.positions.get(usize::from(self.sites[access.pc as usize]))
    }

    /// Whether the two accesses are volatile accesses to a flag, which is what `volatile` is for:
    /// beside fences, or if the reader only polls.
    fn is_flag(&self, side: &Side<'_>, other: &Other, c: Conflict) -> bool {
        let access = side.access;
        let then_volatile = c.then.kind() == Kind::Volatile;
        let reads = access.kind == AccessKind::Load;
        let writes = access.kind == AccessKind::Store;
        let released = reads || self.happens_before.may_release(side.who());
        if self.happens_before.fences()
            && access.volatile
            && then_volatile
            && released
            && !(c.then_writes && writes)
        {
            return true;
        }
        let polled = match (access.kind, other.site) {
            (AccessKind::Load, Some(site)) => {
                site.volatile
                    && site.kind == AccessKind::Store
                    && self.own_site(access).is_some_and(|site| site.polls)
            }
            _ if c.then_writes || !access.volatile => false,
            (_, Some(site)) => site.polls,
            (_, None) => {
                let mut reads = self.positions.iter().filter(|p| p.kind == AccessKind::Load);
                then_volatile && reads.all(|p| p.polls || !p.volatile)
            }
        };
        if polled {
            return true;
        }
        // The write answers one that its thread has read.
        let shared = access.space == Space::Shared;
        let at = word(shared, self.holder(side.context, access).0, side.offset);
        let answers = access.volatile && writes && c.then_writes && then_volatile;
        let heard = |who| self.happens_before.heard(side.context, side.thread(), at, who);
        answers && other.who.is_some_and(heard)
    }

    /// The lane that writes the same word by the same instruction at the same time, if that is the
    /// conflict.
    fn twin(&self, side: &Side<'_>, other: &Other, c: Conflict) -> Option<usize> {
        let access = side.access;
        let (_, thread) = other.who?;
        let span = self.prepared.kernel.spans[access.pc as usize];
        let lane = (thread % 32) as usize;
        let twin = c.then.segment() == side.context.segments[side.lane]
            && c.then_writes
            // `a[0] += x` reads and writes at one source position.
            && access.kind != AccessKind::Load
            && other.pair == Pair::Lanes
            && other.site.is_some_and(|site| site.span == span)
            && access.lanes >> lane & 1 == 1
            && access.offsets[lane] == access.offsets[side.lane];
        twin.then_some(lane)
    }

    /// Whether both sides wrote the same value; notes it for later reads.
    fn same_value(
        &mut self,
        side: &Side<'_>,
        other: &Other,
        c: Conflict,
        values: Values,
    ) -> SameValue {
        let (context, access) = (side.context, side.access);
        let then_stores = c.then_writes && !c.then.kind().atomic();
        let both_store = access.kind == AccessKind::Store && then_stores;
        let same = both_store && values.stored.is_some() && values.stored == values.before;
        // In one block, since one barrier.
        let phase = self.segments.phase(c.then.segment());
        let recent = phase == Some(context.phase) && other.pair != Pair::Blocks;
        let word = self.word_of(access, side.offset);
        let when = (context.block, context.phase);
        let threads = [side.thread(), c.then.thread()];
        if recent && both_store {
            let value = values.stored.filter(|_| same);
            self.same_values.wrote(word, when, value, threads);
        }
        let own_read = recent
            && access.kind == AccessKind::Load
            && c.then_writes
            && c.then.state() == 0
            && self.same_values.holds(word, when, values.current, threads);
        match (same, own_read) {
            (true, _) => SameValue::Writes,
            (false, true) => SameValue::OwnRead,
            (false, false) => SameValue::No,
        }
    }

    /// Whether the read side is compared by an `atomicCAS`, but used otherwise as well.
    fn doubtful(&self, side: &Side<'_>, other: &Other, c: Conflict) -> bool {
        match side.access.kind {
            AccessKind::Load => {
                let own = self.own_site(side.access);
                own.is_some_and(|p| p.doubtful) && c.then_writes && c.then.kind().atomic()
            }
            AccessKind::Store => false,
            _ => !c.then_writes && other.site.is_some_and(|p| p.doubtful),
        }
    }

    /// Whether a lock would order the two, if it were taken with a fence.
    fn lacks_fence(&self, side: &Side<'_>, other: &Other, c: Conflict) -> bool {
        other.who.is_some_and(|who| {
            let segment = c.then.segment();
            let phase = self.segments.phase(segment).unwrap_or(0);
            self.happens_before.lacks_fence(side.who(), who, segment, phase)
        })
    }
}
