//! Who knows that an operation is done.
//!
//! A thread learns it by a wait: for its groups, or for the phase of an mbarrier. Others know it if the
//! wait happens before what they do, by barriers, fences or further mbarriers. When the block's barrier
//! opens, all of its threads know what one knew: then a number says as much as the list of waits.

use super::Operation;
use crate::event::{Awaited, BarrierId, Channel, WarpContext};
use crate::isa::GroupKind;
use crate::lanes::lanes_of;
use crate::observe::races::happens_before::HappensBefore;
use crate::observe::races::segments::{Relation, Segments};
use rustc_hash::FxHashMap;

/// A kind of groups, and the block and the first warp of those that share them.
type Groups = (GroupKind, u32, u32);

/// The groups of this kind that a warp takes part in.
pub(super) fn groups_of(kind: GroupKind, block: u32, warp: u32) -> Groups {
    (kind, block, kind.sharing_warps(warp).start)
}

/// The lanes whose waits are for the groups of `lane`. Products are those of whole warps, and all lanes
/// wait for them.
fn lanes_that_wait_for(kind: GroupKind, lane: usize) -> u32 {
    if kind == GroupKind::Matrix { u32::MAX } else { 1 << lane }
}

/// Lanes of a warp at a moment: in these segments, after so many barriers.
#[derive(Debug, Clone)]
pub(super) struct Waited {
    block: u32,
    warp: u32,
    lanes: u32,
    segments: Box<[u32; 32]>,
    phase: u32,
}

impl Waited {
    pub(super) fn new(context: &WarpContext<'_>, lanes: u32) -> Waited {
        let WarpContext { block, warp, phase, .. } = *context;
        Waited { block, warp, lanes, segments: Box::new(*context.segments), phase }
    }

    /// Whether it is a wait of this block.
    pub(super) fn is_of(&self, block: u32) -> bool {
        self.block == block
    }

    /// Whether it is one of these lanes' threads, and which segment it was in.
    pub(super) fn segment_of(&self, (block, thread): (u32, u32)) -> Option<u32> {
        let lane = thread % 32;
        let here = self.block == block && self.warp == thread / 32 && self.lanes >> lane & 1 == 1;
        here.then(|| self.segments[lane as usize])
    }

    /// Whether the moment is before what thread `me` does now, for any of the lanes.
    pub(super) fn before(
        &self,
        context: &WarpContext<'_>,
        me: u32,
        segments: &Segments,
        order: &HappensBefore,
    ) -> bool {
        self.segment_of((context.block, me)).is_some()
            || lanes_of(self.lanes)
                .any(|lane| self.lane_before(lane, (context, me), segments, order))
    }

    /// The same for one of the lanes.
    pub(super) fn lane_before(
        &self,
        lane: usize,
        (context, me): (&WarpContext<'_>, u32),
        segments: &Segments,
        order: &HappensBefore,
    ) -> bool {
        let who = (self.block, self.warp * 32 + lane as u32);
        if who == (context.block, me) {
            return true;
        }
        let then = self.segments[lane];
        match segments.relation(then, context.segments[me as usize % 32]) {
            Relation::WarpEarlier | Relation::BlockEarlier => true,
            _ => order.holds(context, me, who, then, self.phase),
        }
    }
}

/// A wait: operations before this stage are done; `read`: they are done reading.
#[derive(Debug)]
struct Learnt {
    before: u32,
    read: bool,
    waited: Waited,
}

/// A `cp.async.mbarrier.arrive`: groups of some lanes before this number are done when it is.
#[derive(Debug)]
struct Carry {
    lanes: u32,
    before: u32,
    barrier: BarrierId,
    /// The number of the operation, and the phase in which it arrived; `u32::MAX`: not yet.
    id: u32,
    phase: u32,
}

/// Why an operation is not known to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Advice {
    /// Nobody has waited.
    Never,
    /// The last wait was for operations before this stage only.
    WaitedTooFew { before: u32 },
    /// The wait was for its reads only.
    OnlyRead,
    /// A thread has waited, but nothing orders that before.
    Unordered,
}

/// The waits for the groups of one kind, by the warps that share them.
#[derive(Debug, Default)]
struct GroupWaits {
    /// For each lane: its block knows that the groups before this number are done; done reading.
    settled: [u32; 32],
    settled_reads: [u32; 32],
    waits: Vec<Learnt>,
}

/// The waits at one mbarrier.
#[derive(Debug, Default)]
struct PhaseWaits {
    /// Its block knows that the phases before this number have ended.
    settled: u32,
    waits: Vec<Learnt>,
}

/// All waits.
#[derive(Debug, Default)]
pub(super) struct Order {
    groups: FxHashMap<Groups, GroupWaits>,
    phases: FxHashMap<BarrierId, PhaseWaits>,
    carries: FxHashMap<Groups, Vec<Carry>>,
}

impl Order {
    pub(super) fn clear(&mut self) {
        *self = Order::default();
    }

    /// Lanes learn that operations are done.
    pub(super) fn awaited(&mut self, waited: Waited, awaited: Awaited) {
        match awaited {
            Awaited::Groups { kind, before, read } => {
                let groups = groups_of(kind, waited.block, waited.warp);
                let known = self.groups.entry(groups).or_default();
                known.waits.push(Learnt { before, read, waited });
            }
            // No asynchronous operation completes it.
            Awaited::Named(_) => {}
            Awaited::Phases { barrier, before, .. } => {
                let known = self.phases.entry(barrier).or_default();
                known.waits.push(Learnt { before, read: false, waited });
            }
        }
    }

    /// The block's barrier opens: all of its threads know what each of them has learnt. In a cluster other
    /// blocks learn it from single threads, so that the waits are kept.
    pub(super) fn settle(&mut self, block: u32, clusters: bool) {
        for (_, known) in self.groups.iter_mut().filter(|((_, of, _), _)| *of == block) {
            for learnt in &known.waits {
                for lane in lanes_of(learnt.waited.lanes) {
                    let reads = &mut known.settled_reads[lane];
                    *reads = learnt.before.max(*reads);
                    if !learnt.read {
                        known.settled[lane] = learnt.before.max(known.settled[lane]);
                    }
                }
            }
            known.waits.retain(|_| clusters);
        }
        for (_, known) in self.phases.iter_mut().filter(|(barrier, _)| barrier.block == block) {
            for learnt in &known.waits {
                known.settled = learnt.before.max(known.settled);
            }
            known.waits.retain(|_| clusters);
        }
    }

    /// Lanes will arrive at an mbarrier, by operation `id`, when their groups are done.
    pub(super) fn carry(
        &mut self,
        from: Groups,
        lanes: u32,
        before: u32,
        barrier: BarrierId,
        id: u32,
    ) {
        let carry = Carry { lanes, before, barrier, id, phase: u32::MAX };
        self.carries.entry(from).or_default().push(carry);
    }

    /// An operation of a warp has arrived in this phase.
    pub(super) fn carried(&mut self, from: Groups, id: u32, phase: u32) {
        let all = self.carries.get_mut(&from).into_iter().flatten().rev();
        if let Some(carry) = all.into_iter().find(|carry| carry.id == id) {
            carry.phase = phase;
        }
    }

    /// Whether an operation, for the lane that asked for it, is known to be done: to all threads of
    /// `block`, or where `known` holds for a wait. `writes`: done writing, not only reading.
    pub(super) fn done(
        &self,
        (op, lane, writes): (&Operation, u8, bool),
        block: u32,
        known: impl Fn(&Waited, usize) -> bool,
    ) -> bool {
        let lane = usize::from(lane);
        let (kind, group) = match op.channel {
            Channel::Barrier(barrier) => {
                return self.phase_known(barrier, op.stage, block, &known);
            }
            Channel::Group(kind, group) => (kind, group),
        };
        let from = groups_of(kind, op.block, op.warp);
        let waiters = lanes_that_wait_for(kind, lane);
        if let Some(waits) = self.groups.get(&from) {
            let settled = if writes { waits.settled } else { waits.settled_reads };
            let mut own = waits
                .waits
                .iter()
                .rev()
                .filter(|learnt| learnt.before > group && !(learnt.read && writes));
            let knows = |learnt: &Learnt| {
                lanes_of(learnt.waited.lanes & waiters).any(|lane| known(&learnt.waited, lane))
            };
            if (block == op.block && lanes_of(waiters).any(|lane| settled[lane] > group))
                || own.any(knows)
            {
                return true;
            }
        }
        let mut carries = self.carries.get(&from).into_iter().flatten().filter(|carry| {
            carry.before > group && carry.lanes >> lane & 1 == 1 && carry.phase != u32::MAX
        });
        carries.any(|carry| self.phase_known(carry.barrier, carry.phase, block, &known))
    }

    /// Why an operation is not known to be done, to thread `me`.
    pub(super) fn advice(
        &self,
        (op, lane, writes): (&Operation, u8, bool),
        me: (u32, u32),
    ) -> Advice {
        let none = Vec::new();
        let (waits, who, stage, settled, reads) = match op.channel {
            Channel::Group(kind, group) => {
                let asked = (op.block, op.warp * 32 + u32::from(lane));
                let known = self.groups.get(&groups_of(kind, op.block, op.warp));
                let waiters = lanes_that_wait_for(kind, lane.into());
                let at = |settled: [u32; 32]| {
                    lanes_of(waiters).map(|lane| settled[lane]).max().unwrap_or(0)
                };
                let waits = known.map_or(&none, |known| &known.waits);
                let settled = known.map_or(0, |known| at(known.settled));
                (waits, asked, group, settled, known.map_or(0, |known| at(known.settled_reads)))
            }
            Channel::Barrier(barrier) => {
                let known = self.phases.get(&barrier);
                let settled = known.map_or(0, |known| known.settled);
                (known.map_or(&none, |known| &known.waits), me, op.stage, settled, settled)
            }
        };
        let shared = matches!(op.channel, Channel::Group(GroupKind::Matrix, _));
        let waited = |learnt: &&Learnt| shared || learnt.waited.segment_of(who).is_some();
        let own = || waits.iter().filter(waited);
        let most = own().filter(|learnt| !learnt.read).map(|learnt| learnt.before).max();
        let before = most.unwrap_or(0).max(settled);
        let read = own().map(|learnt| learnt.before).max().unwrap_or(0).max(reads);
        match () {
            () if before > stage => Advice::Unordered,
            () if writes && read > stage => Advice::OnlyRead,
            () if read > stage => Advice::Unordered,
            // Another thread has waited for the phase.
            () if matches!(op.channel, Channel::Barrier(_))
                && waits.iter().any(|learnt| learnt.before > stage) =>
            {
                Advice::Unordered
            }
            () if before > 0 || most.is_some() => Advice::WaitedTooFew { before },
            () => Advice::Never,
        }
    }

    /// Whether a phase of an mbarrier is known to have ended.
    fn phase_known(
        &self,
        barrier: BarrierId,
        phase: u32,
        block: u32,
        known: &impl Fn(&Waited, usize) -> bool,
    ) -> bool {
        let Some(waits) = self.phases.get(&barrier) else { return false };
        let mut later = waits.waits.iter().rev().filter(|learnt| learnt.before > phase);
        (block == barrier.block && waits.settled > phase)
            || later
                .any(|learnt| lanes_of(learnt.waited.lanes).any(|lane| known(&learnt.waited, lane)))
    }
}
