//! The state machine of one shadow word: whether an access races with an earlier one, and what is kept
//! of it.

use super::segments::{Relation, Segments};
use super::shadow::{BLOCKS, Entry, Kind, LANES, WARPS, Word};

/// An access of one lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Now {
    pub(super) me: Entry,
    pub(super) write: bool,
}

/// A conflict: the earlier access, and how it relates to this one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Conflict {
    pub(super) then: Entry,
    pub(super) then_writes: bool,
    pub(super) relation: Relation,
    /// Beside an earlier write, a read: a fence may order one and not the other.
    pub(super) read: Option<(Entry, Relation)>,
}

/// The relations of segments, with a cache of the last answer: the words of one access were mostly
/// accessed in one segment before.
#[derive(Debug)]
pub(super) struct Relations<'a> {
    pub(super) segments: &'a Segments,
    /// In shared memory that the blocks of a cluster share: their barrier may order an atomic after a
    /// plain write.
    pub(super) of_cluster: bool,
    then: u32,
    now: u32,
    last: Relation,
}

impl<'a> Relations<'a> {
    pub(super) fn new(segments: &'a Segments) -> Relations<'a> {
        Relations { segments, of_cluster: false, then: 0, now: 0, last: Relation::Same }
    }

    #[inline(always)]
    pub(super) fn get(&mut self, then: Entry, now: Entry) -> Relation {
        let (then, now) = (then.segment(), now.segment());
        if (self.then, self.now) != (then, now) {
            (self.then, self.now) = (then, now);
            self.last = self.segments.relation(then, now);
        }
        self.last
    }
}

/// Whether an earlier access is unordered with one of `thread`.
#[inline(always)]
pub(super) fn unordered(relation: Relation, entry: Entry, thread: u32) -> bool {
    match relation {
        Relation::Same | Relation::WarpParted => entry.thread() != thread || entry.state() >= LANES,
        Relation::WarpEarlier => entry.state() >= WARPS,
        Relation::BlockEarlier => entry.state() >= BLOCKS,
        Relation::OtherWarp | Relation::OtherBlock => true,
    }
}

/// Checks an access to a word (or byte) against its shadow, and updates the shadow.
#[inline(always)]
pub(super) fn access_word(
    relations: &mut Relations<'_>,
    one_block: bool,
    word: &mut Word,
    now: Now,
) -> Option<Conflict> {
    let me = now.me;
    let mut conflict = None;
    let mut write_relation = Relation::Same;
    if !word.write.none() {
        let then = word.write;
        write_relation = relations.get(then, me);
        if one_block && write_relation == Relation::OtherBlock {
            // Left over from an earlier block in the same storage.
            word.write = Entry::default();
        } else if conflicts(then, me, write_relation) {
            let relation = write_relation;
            conflict = Some(Conflict { then, then_writes: true, relation, read: None });
        }
    }
    if !word.read.none() {
        let then = word.read;
        let relation = relations.get(then, me);
        if one_block && relation == Relation::OtherBlock {
            word.read = Entry::default();
        } else if !now.write {
            word.read = after_read(word.write, then, me, relation);
            return conflict;
        } else if conflicts(then, me, relation) {
            match &mut conflict {
                Some(conflict) => conflict.read = Some((then, relation)),
                None => {
                    conflict = Some(Conflict { then, then_writes: false, relation, read: None });
                }
            }
        }
    }
    if !now.write {
        word.read = me;
    } else if !word.write.none() && me.kind().atomic() {
        after_atomic(relations, word, me, write_relation);
    } else {
        word.write = me;
    }
    conflict
}

/// Whether an earlier access and this one race, if one of them writes.
#[inline(always)]
fn conflicts(then: Entry, me: Entry, relation: Relation) -> bool {
    unordered(relation, then, me.thread()) && !compatible(then.kind(), me.kind(), relation)
}

/// Updates a word after an atomic over an earlier write.
#[inline(always)]
fn after_atomic(relations: &mut Relations<'_>, word: &mut Word, me: Entry, relation: Relation) {
    let then = word.write;
    word.write = match then.kind() {
        Kind::Atomic if me.kind() == Kind::Atomic => remember(then, me, relation),
        Kind::Atomic | Kind::AtomicBlock => remember(then, me, relation).in_block(),
        // A volatile write is a flag, and as strong as an atomic.
        Kind::Volatile => me,
        Kind::Plain => {
            // Atomics of the block's other warps are not ordered after that write either. For a
            // later writer it makes no difference if the write is kept in the place of a read.
            let free = word.read.none()
                || matches!(
                    relations.get(word.read, me),
                    Relation::WarpEarlier | Relation::BlockEarlier
                );
            let own_warp =
                matches!(relation, Relation::Same | Relation::WarpEarlier | Relation::WarpParted);
            if free && own_warp {
                word.read = then;
            }
            if relations.of_cluster { me } else { me.in_block() }
        }
    };
}

/// The summary of the readers of a word after one more read.
#[inline(always)]
pub(super) fn after_read(write: Entry, then: Entry, me: Entry, relation: Relation) -> Entry {
    if then.none() {
        return me;
    }
    let owns = !write.none() && then.thread() == write.thread();
    match relation {
        // An access that conflicts with the volatile read conflicts with the plain one.
        _ if then.kind() == Kind::Volatile && me.kind() == Kind::Plain => me,
        // The thread that wrote the word reads it: another reader says more to a later writer.
        Relation::Same if owns && then.state() == 0 && then.thread() != me.thread() => {
            me.with_state(LANES).with_other(then.thread()).with_elsewhere(then.site() != me.site())
        }
        _ => remember(then, me, relation),
    }
}

/// Two strong accesses do not race: atomics whose scope includes both threads, and a `volatile` read
/// or flag (which the hardware treats as a relaxed atomic) with an atomic.
#[inline(always)]
fn compatible(then: Kind, now: Kind, relation: Relation) -> bool {
    match (then, now) {
        (Kind::Atomic, Kind::Atomic) => true,
        (a, b) if a.atomic() && b.atomic() => relation != Relation::OtherBlock,
        (Kind::Volatile, k) | (k, Kind::Volatile) => k.atomic(),
        _ => false,
    }
}

/// The entry for `then` and `me` together, two accesses of one kind.
///
/// One stays, with its source position, and the other thread beside it: a later writer conflicts with one
/// of the two. It is replaced only if it is ordered before `me`. The one in the lower segment stays: of
/// the other thread it is then known that it was in that segment or in a later one, so that a clock that
/// does not know this segment of it does not know the access either.
#[inline(always)]
fn remember(then: Entry, me: Entry, relation: Relation) -> Entry {
    let state = then.state();
    let moved = then.site() != me.site();
    let second = |state: u64| {
        let (one, other) = if me.segment() < then.segment() { (me, then) } else { (then, me) };
        one.with_state(state).with_other(other.thread()).with_elsewhere(moved)
    };
    match relation {
        Relation::Same | Relation::WarpParted if state == 0 && then.thread() == me.thread() => me,
        Relation::Same | Relation::WarpParted if state == 0 => second(LANES),
        // Of the atomics of one instruction keep the first and the last lane: a thread that
        // conflicts with some of the lanes differs from one of the two.
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
