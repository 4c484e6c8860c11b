//! Races: two accesses that nothing orders, one of them a write.
//!
//! They are found whatever the order in which the lanes happened to run. Every word remembers its
//! last write and its reads ([`crate::observe::races::shadow`]), each with the stretch between synchronisations in
//! which it happened. Two accesses are ordered by `__syncthreads` within a block and by
//! `__syncwarp` within a warp. Lockstep orders nothing, a shuffle orders nothing, and blocks are
//! never ordered but by fences: who released what to whom is [`happens_before`]'s to know.
//!
//! A plain read that only serves to begin a loop around `atomicCAS` does not race with atomics
//! ([`confirmed`]), nor a `volatile` one that only asks with `volatile` writes ([`polls`]).
//!
//! Where this is less than exact, it errs toward silence: a word remembers one write, and of its
//! readers two. And a finding, or its absence, is about this launch's path through the program alone.

mod cas_loop;
mod fast_path;
mod happens_before;
mod polling;
mod report;
mod same_value;
mod shadow;
mod vector_clock;

use super::Findings;
use super::event::{
    Access, AccessKind, Boundary, Interests, Observer, SegmentStart, Shape, WarpContext,
};
use crate::diagnostic::Span;
use crate::isa::{Inst, Scope};
use crate::machine::memory::{Global, Space};
use crate::machine::program::Program;
use crate::machine::simd::{FULL, lanes_of};
use crate::observe::races::shadow::{
    BLOCKS, Entry, Kind, LANES, LINE, MAX_SEGMENT, MAX_SITE, PAGE, Relation, Segments, Shadow,
    WARPS, Word,
};
use cas_loop::CasRead;
use fast_path::PatternWords;
use happens_before::HappensBefore;
use same_value::SameValueWrites;
use std::collections::HashMap;

/// Watches global and shared memory.
#[derive(Debug)]
pub(crate) struct RaceDetector {
    global: Vec<Shadow>,
    /// Of which of them the kernel may write: of the others nothing is remembered.
    written: Vec<bool>,
    /// By slot: resident blocks have one each.
    shared: Vec<Shadow>,
    segments: Segments,
    /// For each instruction the number of its place, and the places.
    sites: Vec<u16>,
    /// For each instruction, what becomes of what it reads.
    reads: Vec<CasRead>,
    /// For each instruction the words of its last pattern.
    words: Vec<PatternWords>,
    places: Vec<AccessSite>,
    happens_before: HappensBefore,
    alike: SameValueWrites,
}

/// A place in the text that accesses memory.
#[derive(Debug, Clone, Copy)]
struct AccessSite {
    span: Span,
    kind: AccessKind,
    scope: Scope,
    volatile: bool,
    /// A read whose value an `atomicCAS` compares, and which is used otherwise as well.
    doubtful: bool,
    /// A `volatile` read that asks.
    asks: bool,
}

/// What is being checked: one lane's part of one access.
#[derive(Debug, Clone, Copy)]
struct Now {
    me: Entry,
    write: bool,
}

/// A conflict: the earlier access, and how it stands to this one.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Conflict {
    then: Entry,
    then_writes: bool,
    relation: Relation,
    /// Beside an earlier write, a read: a fence may order the one and not the other.
    read: Option<(Entry, Relation)>,
}

/// The relation found last: lanes of one access mostly meet one stretch.
#[derive(Debug, Clone, Copy)]
struct RelationMemo {
    then: u32,
    now: u32,
    relation: Relation,
}

impl RaceDetector {
    pub(crate) fn new(program: &Program<'_>) -> RaceDetector {
        let mut places = Vec::new();
        let mut known = HashMap::new();
        let mut fences = false;
        let mut sites = Vec::with_capacity(program.kernel.code.len());
        let reads = cas_loop::reads(program.kernel);
        let code = program.kernel.code.iter().zip(&program.kernel.spans).zip(&reads);
        for ((inst, &span), read) in code {
            let mut scope = Scope::Device;
            let (kind, volatile) = match inst {
                Inst::Load { volatile, .. } => (AccessKind::Load, *volatile),
                Inst::Store { volatile, .. } => (AccessKind::Store, *volatile),
                Inst::Atomic { scope: of, .. } => {
                    scope = *of;
                    (AccessKind::Atomic, false)
                }
                _ => {
                    fences |= matches!(inst, Inst::Fence { .. });
                    sites.push(0);
                    continue;
                }
            };
            let site = *known.entry((span, kind.word())).or_insert_with(|| {
                places.push(AccessSite { span, kind, scope, volatile, doubtful: true, asks: true });
                places.len() - 1
            });
            places[site].doubtful &= *read == CasRead::Doubtful;
            places[site].asks &= polling::asks(program.kernel, sites.len());
            sites.push(site.min(usize::from(MAX_SITE)) as u16);
        }
        let may = |(object, may): (&&Global, &bool)| *may && !object.constant;
        RaceDetector {
            written: program.objects.iter().zip(&program.written).map(may).collect(),
            global: program.objects.iter().map(|_| Shadow::default()).collect(),
            shared: Vec::new(),
            segments: Segments::new(fences),
            words: vec![PatternWords::default(); sites.len()],
            sites,
            reads,
            places,
            happens_before: HappensBefore::new(fences, program.threads),
            alike: SameValueWrites::default(),
        }
    }
}

impl Observer for RaceDetector {
    fn wants(&self) -> Interests {
        Interests { memory: true, block: true, checks: true, ..Interests::default() }
    }

    /// Where nobody writes there are no races; but what is ordered by fences depends on every access.
    fn observes(&self, space: Space, object: u32) -> bool {
        match space {
            Space::Global => self.written[object as usize] || self.happens_before.fences(),
            Space::Shared => true,
            Space::Local => false,
        }
    }

    fn block(&mut self, _block: u32, alone: bool) {
        if alone {
            self.segments.forget();
            self.happens_before.alone();
        }
    }

    fn barrier(&mut self, block: u32) {
        self.happens_before.barrier(block);
    }

    fn segment(&mut self, segment: u32, s: &SegmentStart<'_>) {
        let parted = matches!(s.boundary, Boundary::Fence | Boundary::Warp { whole: false });
        self.segments.add(segment, s.block, s.epoch, s.warp, parted);
        self.happens_before.begin(segment, (s.block, s.warp), s.lanes, s.boundary, s.before);
    }

    fn fresh(&mut self, object: u32, words: std::ops::Range<u32>) {
        for at in words.map(|at| at as usize) {
            self.global[object as usize].page(at / PAGE)[at % PAGE] = Word::default();
        }
    }

    fn fence(&mut self, here: &WarpContext<'_>, lanes: u32, scope: Scope) {
        self.happens_before.fence(here, lanes, scope);
    }

    fn access(&mut self, here: &WarpContext<'_>, access: &Access<'_>, findings: &mut Findings) {
        if access.space == Space::Local {
            return;
        }
        let atomic = matches!(access.kind, AccessKind::Atomic | AccessKind::Reduction);
        if access.space == Space::Global && !atomic {
            self.happens_before.touch(here, access.lanes);
        }
        if access.volatile || atomic {
            self.happens_before.strong(here, access, access.space == Space::Shared);
        }
        let kind = match (access.kind, access.volatile, access.scope) {
            (AccessKind::Atomic | AccessKind::Reduction, _, Scope::Block) => Kind::AtomicBlock,
            (AccessKind::Atomic | AccessKind::Reduction, _, Scope::Device) => Kind::Atomic,
            (_, true, _) => Kind::Volatile,
            // As good as one that the swap itself made.
            _ if self.reads[access.pc as usize] == CasRead::Confirmed => Kind::Volatile,
            _ => Kind::Plain,
        };
        // Lanes whose volatile write is no flag.
        let thread = |lane: usize| (here.block, here.warp * 32 + lane as u32);
        let plainly = if access.volatile && access.kind == AccessKind::Store {
            lanes_of(access.lanes)
                .filter(|&lane| !self.happens_before.may_release(thread(lane)))
                .fold(0, |lanes, lane| lanes | 1 << lane)
        } else {
            0u32
        };
        let write = access.kind != AccessKind::Load;
        let site = self.sites[access.pc as usize];
        let mut memo = RelationMemo { then: 0, now: 0, relation: Relation::Same };
        let shadow = match access.space {
            Space::Global => {
                if !self.written[access.object as usize] {
                    return;
                }
                &mut self.global[access.object as usize]
            }
            _ => {
                while self.shared.len() <= here.slot {
                    self.shared.push(Shadow::default());
                }
                &mut self.shared[here.slot]
            }
        };
        let shared = access.space == Space::Shared;
        let segments = &self.segments;
        let mut conflicts: Vec<(usize, u32, Conflict)> = Vec::new();
        let mut lanes = access.lanes;
        let ends = |lanes: u32| 1 << lanes.trailing_zeros() | 1 << (31 - lanes.leading_zeros());
        if access.shape == Shape::Uniform && !write {
            // Two readers of a word say as much as thirty-two.
            lanes = ends(lanes);
        }
        let first = here.segments[lanes.trailing_zeros() as usize];
        let together = here.segments.iter().fold(0, |differ, i| differ | (i ^ first)) == 0;
        if first > MAX_SEGMENT
            || !together && lanes_of(lanes).any(|lane| here.segments[lane] > MAX_SEGMENT)
        {
            return;
        }
        // Of what kind all of it is, if it is of one kind that lines and words know.
        let all = match kind {
            Kind::Volatile if plainly == access.lanes => Some(Kind::Plain),
            Kind::Volatile if write => None,
            Kind::Plain | Kind::Volatile => Some(kind),
            _ => None,
        };
        let me = |lane: usize| {
            let kind = if plainly >> lane & 1 == 1 { Kind::Plain } else { kind };
            Entry::new(here.segments[lane], thread(lane).1, site, kind)
        };
        let line = access.shape == Shape::Contiguous
            && access.width == 4
            && lanes == FULL
            && (access.offsets[0] / 4).is_multiple_of(LINE as u32);
        if line
            && together
            && all.is_some()
            && let Some(line) = shadow.line(access.offsets[0] as usize / 4)
        {
            // What is so of the first lane is so of all.
            let before = *line;
            let now = Now { me: me(0), write };
            if step(segments, &mut memo, shared, line, now).is_none() {
                return;
            }
            *line = before;
        }
        if access.pattern != 0
            && access.width == 4
            && together
            && let Some(kind) = all
        {
            let words = &mut self.words[access.pc as usize];
            words.of(access);
            let first = Now { me: Entry::new(first, here.warp * 32, site, kind), write };
            lanes &= words.settle(shadow, segments, shared, access.offsets[0], first);
        }
        if lanes == 0 {
            return;
        }
        if access.width >= 4 && together && !atomic {
            let mut ordered_cache = OrderedCache::default();
            for part in 0..access.width / 4 {
                let mut page = usize::MAX;
                let mut words = shadow
                    .page(access.offsets[lanes.trailing_zeros() as usize] as usize / 4 / PAGE);
                for lane in lanes_of(lanes) {
                    let at = (access.offsets[lane] / 4 + part) as usize;
                    if at / PAGE != page {
                        page = at / PAGE;
                        words = shadow.page(page);
                    }
                    let word = &mut words[at % PAGE];
                    let now = Now { me: me(lane), write };
                    if ordered_cache.settles(word, now) {
                        continue;
                    }
                    let offset = at as u32 * 4;
                    if Shadow::split(*word) {
                        for (byte, half) in shadow.parts(at).iter_mut().enumerate() {
                            if let Some(conflict) = step(segments, &mut memo, shared, half, now) {
                                conflicts.push((lane, offset + byte as u32, conflict));
                            }
                        }
                        words = shadow.page(page);
                        continue;
                    }
                    let before = *word;
                    if let Some(conflict) = step(segments, &mut memo, shared, word, now) {
                        conflicts.push((lane, offset, conflict));
                    }
                    ordered_cache.learn(segments, before, now);
                }
            }
        } else {
            for lane in lanes_of(lanes) {
                let (now, offset) = (Now { me: me(lane), write }, access.offsets[lane]);
                let mut check = |offset: u32, word: &mut Word| {
                    if let Some(conflict) = step(segments, &mut memo, shared, word, now) {
                        conflicts.push((lane, offset, conflict));
                    }
                };
                if access.width < 4 {
                    let parts = shadow.parts(offset as usize / 4);
                    for byte in offset % 4..offset % 4 + access.width {
                        check(offset, &mut parts[byte as usize]);
                    }
                    continue;
                }
                for at in offset / 4..(offset + access.width) / 4 {
                    let word = &mut shadow.page(at as usize / PAGE)[at as usize % PAGE];
                    if Shadow::split(*word) {
                        for (byte, part) in shadow.parts(at as usize).iter_mut().enumerate() {
                            check(at * 4 + byte as u32, part);
                        }
                    } else {
                        check(at * 4, word);
                    }
                }
            }
        }
        // The bytes of a word mostly have one history: that is one conflict.
        let mut last = None;
        for (lane, offset, conflict) in conflicts {
            if last.replace((lane, offset / 4, conflict)) != Some((lane, offset / 4, conflict)) {
                self.report(here, access, findings, lane, offset, conflict);
            }
        }
    }
}

/// Segments that are known to lie before the one of this access, in the same block: most words of
/// an access are as its first word was, and need no further question.
#[derive(Debug, Clone, Copy, Default)]
struct OrderedCache {
    write: u32,
    read: u32,
}

impl OrderedCache {
    /// Remembers the access, if it is clear that it conflicts with nothing.
    #[inline(always)]
    fn settles(&self, word: &mut Word, now: Now) -> bool {
        let (w, r, me) = (word.write, word.read, now.me);
        let alone = |e: Entry| e.0 >> 24 == me.0 >> 24 && e.state() == 0;
        let write_is_calm = w.none() || alone(w) || (w.segment() == self.write && w.state() == 0);
        if !write_is_calm || Shadow::split(*word) {
            return false;
        }
        let earlier = r.none() || (r.segment() == self.read && r.state() <= LANES);
        if now.write {
            if !(earlier || alone(r)) || w.kind().atomic() {
                return false;
            }
            word.write = me;
            return true;
        }
        if earlier {
            word.read = me;
            return true;
        }
        // Read in this stretch before, from the same place, by this thread or by several.
        r.segment() == me.segment()
            && r.site() == me.site()
            && r.kind() == me.kind()
            && (r.state() >= LANES || r.thread() == me.thread())
    }

    /// Notes what was found out about a word.
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

/// Whether an entry of that state and thread is unordered with `thread`'s access.
#[inline(always)]
fn unordered(relation: Relation, entry: Entry, thread: u32) -> bool {
    match relation {
        Relation::Same | Relation::WarpParted => entry.thread() != thread || entry.state() >= LANES,
        Relation::WarpEarlier => entry.state() >= WARPS,
        Relation::BlockEarlier => entry.state() >= BLOCKS,
        Relation::OtherWarp | Relation::OtherBlock => true,
    }
}

/// Checks one access to one word, and remembers it.
#[inline(always)]
fn step(
    segments: &Segments,
    memo: &mut RelationMemo,
    shared: bool,
    word: &mut Word,
    now: Now,
) -> Option<Conflict> {
    let me = now.me;
    let mut relate = |then: Entry| {
        if memo.then != then.segment() || memo.now != me.segment() {
            let (then, now) = (then.segment(), me.segment());
            *memo = RelationMemo { then, now, relation: segments.relation(then, now) };
        }
        memo.relation
    };
    let mut found = None;
    let mut write_relation = Relation::Same;
    if !word.write.none() {
        let then = word.write;
        write_relation = relate(then);
        if shared && write_relation == Relation::OtherBlock {
            // An earlier block's shared memory stood here.
            word.write = Entry::default();
        } else if unordered(write_relation, then, me.thread())
            && !compatible(then.kind(), me.kind(), write_relation)
        {
            let relation = write_relation;
            found = Some(Conflict { then, then_writes: true, relation, read: None });
        }
    }
    if !word.read.none() {
        let then = word.read;
        let relation = relate(then);
        if shared && relation == Relation::OtherBlock {
            word.read = Entry::default();
        } else if now.write {
            if unordered(relation, then, me.thread())
                && !compatible(then.kind(), me.kind(), relation)
            {
                match &mut found {
                    Some(found) => found.read = Some((then, relation)),
                    None => {
                        found = Some(Conflict { then, then_writes: false, relation, read: None });
                    }
                }
            }
        } else {
            word.read = after_read(word.write, then, me, relation);
            return found;
        }
    }
    if !now.write {
        word.read = me;
    } else if !word.write.none() && me.kind().atomic() {
        let then = word.write;
        word.write = match then.kind() {
            Kind::Atomic if me.kind() == Kind::Atomic => remember(then, me, write_relation),
            Kind::Atomic | Kind::AtomicBlock => remember(then, me, write_relation).in_block(),
            // A flag is as strong as they are.
            Kind::Volatile => me,
            Kind::Plain => {
                // Atomics of the block's other warps are not ordered after that write either. To
                // whoever writes later a write is what a read is, so it can stand in its place.
                let free = word.read.none()
                    || matches!(relate(word.read), Relation::WarpEarlier | Relation::BlockEarlier);
                if free
                    && matches!(
                        write_relation,
                        Relation::Same | Relation::WarpEarlier | Relation::WarpParted
                    )
                {
                    word.read = then;
                }
                me.in_block()
            }
        };
    } else {
        word.write = me;
    }
    found
}

/// What is remembered of a word's readers after one more.
#[inline(always)]
fn after_read(write: Entry, then: Entry, me: Entry, relation: Relation) -> Entry {
    if then.none() {
        return me;
    }
    let owns = !write.none() && then.thread() == write.thread();
    match relation {
        // Whoever conflicts with the strong read conflicts with the plain one.
        _ if then.kind() == Kind::Volatile && me.kind() == Kind::Plain => me,
        // Who reads its own word again is not whom a later writer has to be told of.
        Relation::Same if owns && then.state() == 0 && then.thread() != me.thread() => {
            me.with_state(LANES).with_other(then.thread()).with_elsewhere(then.site() != me.site())
        }
        _ => remember(then, me, relation),
    }
}

/// Two strong accesses do not race: atomics of a scope that holds both, and a `volatile` read or
/// flag (which the hardware treats as one) with an atomic.
#[inline(always)]
fn compatible(then: Kind, now: Kind, relation: Relation) -> bool {
    match (then, now) {
        (Kind::Atomic, Kind::Atomic) => true,
        (a, b) if a.atomic() && b.atomic() => relation != Relation::OtherBlock,
        (Kind::Volatile, k) | (k, Kind::Volatile) => k.atomic(),
        _ => false,
    }
}

/// The entry for `then` and `me` together, who did the same.
///
/// Who came first stays, with its place, and a second thread behind it: whoever writes later meets
/// one of the two. Only what is ordered before `me` gives way to it.
#[inline(always)]
fn remember(then: Entry, me: Entry, relation: Relation) -> Entry {
    let state = then.state();
    let moved = then.site() != me.site();
    let second = |state: u64| then.with_state(state).with_other(me.thread()).with_elsewhere(moved);
    match relation {
        Relation::Same | Relation::WarpParted if state == 0 && then.thread() == me.thread() => me,
        Relation::Same | Relation::WarpParted if state == 0 => second(LANES),
        // Of atomics of one instruction the two ends: who meets some of the lanes meets not both.
        Relation::Same if state == LANES && me.kind().atomic() && me.thread() > then.other() => {
            second(LANES)
        }
        Relation::WarpEarlier if state >= WARPS => {
            me.with_state(state).with_other(then.other()).with_elsewhere(then.elsewhere() || moved)
        }
        Relation::BlockEarlier if state < BLOCKS => me,
        Relation::WarpEarlier => me,
        Relation::OtherWarp if state < WARPS => second(WARPS),
        Relation::OtherBlock if state < BLOCKS => second(BLOCKS),
        _ => then,
    }
}

impl RaceDetector {
    /// Whether something but a whole barrier orders the earlier access before this one.
    fn ordered(&self, here: &WarpContext<'_>, me: u32, c: Conflict) -> bool {
        if !self.happens_before.active() {
            return false;
        }
        let (then, segment) = (c.then, c.then.segment());
        let block = self.segments.block(segment);
        let Some(epoch) = self.segments.epoch(segment) else { return false };
        let holds = |thread| self.happens_before.holds(here, me, (block, thread), segment, epoch);
        let earlier = matches!(c.relation, Relation::WarpEarlier | Relation::BlockEarlier);
        // Of a third thread nothing is known but that it was there.
        (earlier || holds(then.thread()))
            && (then.state() == 0 || then.state() >= BLOCKS || holds(then.other()))
    }
}
