//! Happens-before by mbarriers: who arrives releases, and who learns that a phase has ended acquires what
//! was done before all arrivals of that phase and of earlier ones.
//!
//! - A relaxed arrival releases what its thread has fenced, and a relaxed wait acquires at the next fence.
//! - With the scope of a block written out (`.cta`), an arrival releases nothing to other blocks, and a wait
//!   acquires nothing from them. Where no scope is written the PTX ISA says `.cta` as well, but public code
//!   relies on more there, at the mbarriers of other blocks: it counts as the cluster's.
//! - An asynchronous store (`st.async`) releases at its mbarrier as well, when it completes: what its thread did
//!   before the store is known with the store. It is an operation of the generic proxy, whose `complete_tx` is
//!   a release at the scope of the cluster. Only of bulk copies the PTX ISA says that theirs orders nothing that
//!   the thread did before.
//!
//! Not done: after a relaxed wait the bytes of asynchronous copies count as having arrived, without a fence.

use super::{HappensBefore, rows};
use crate::event::{BarrierId, WarpContext};
use crate::isa::Scope;
use crate::lanes::lanes_of;
use crate::observe::races::vector_clock::Clock;

/// What was done before the arrivals at an mbarrier of a phase: by threads of its own block, and of others.
#[derive(Debug, Default)]
pub(super) struct Arrivals {
    own: Clock,
    others: Clock,
}

impl Arrivals {
    fn join(&mut self, other: &Arrivals) {
        self.own.join(&other.own);
        self.others.join(&other.others);
    }
}

/// The phase that has begun, and those that have ended.
#[derive(Debug, Default)]
pub(super) struct Mbarrier {
    arriving: Arrivals,
    ended: Arrivals,
}

impl HappensBefore {
    /// What a lane knows now, and what it did itself.
    pub(crate) fn knowledge(&mut self, context: &WarpContext<'_>, lane: usize) -> Clock {
        let clocks = self.blocks.entry(context.block).or_default();
        let rows = rows(&mut clocks.parted, &mut self.parted, context.warp, context.segments);
        let row = rows[lane];
        clocks.knowledge(context, context.warp * 32 + lane as u32, &row)
    }

    /// Threads arrive.
    pub(crate) fn arrive(
        &mut self,
        context: &WarpContext<'_>,
        lanes: u32,
        barrier: BarrierId,
        order: Option<Scope>,
    ) {
        let own = barrier.block == context.block;
        if order == Some(Scope::Block) && !own {
            return;
        }
        for lane in lanes_of(lanes) {
            let released = match order {
                Some(_) => self.knowledge(context, lane),
                None => self.fenced(context, lane, barrier.block),
            };
            let arriving = &mut self.mbarriers.entry(barrier).or_default().arriving;
            let released_by = if own { &mut arriving.own } else { &mut arriving.others };
            released_by.join(&released);
        }
    }

    /// Threads store asynchronously: operation `id` will complete at the mbarrier.
    pub(crate) fn store_issued(
        &mut self,
        context: &WarpContext<'_>,
        (id, lanes): (u32, u32),
        barrier: BarrierId,
    ) {
        let mut released = Arrivals::default();
        for lane in lanes_of(lanes) {
            let known = self.knowledge(context, lane);
            let own = barrier.block == context.block;
            if own { &mut released.own } else { &mut released.others }.join(&known);
        }
        self.stores.insert(id, (barrier, released));
    }

    /// An operation completes.
    pub(crate) fn store_completed(&mut self, id: u32) {
        if let Some((barrier, released)) = self.stores.remove(&id) {
            self.mbarriers.entry(barrier).or_default().arriving.join(&released);
        }
    }

    /// What a lane has fenced, as a thread of `block` hears of it.
    fn fenced(&self, context: &WarpContext<'_>, lane: usize, block: u32) -> Clock {
        let Some(clocks) = self.blocks.get(&context.block) else { return Clock::default() };
        let mut all = clocks.all_fenced.heard(block);
        if let Some(fenced) = clocks.fenced.get(&(context.warp * 32 + lane as u32)) {
            all.join(&fenced.heard(block));
        }
        all
    }

    /// All have arrived.
    pub(crate) fn end_phase(&mut self, barrier: BarrierId) {
        let mbarrier = self.mbarriers.entry(barrier).or_default();
        mbarrier.ended.join(&std::mem::take(&mut mbarrier.arriving));
    }

    /// Threads learn that a phase has ended.
    pub(crate) fn pass(
        &mut self,
        context: &WarpContext<'_>,
        lanes: u32,
        barrier: BarrierId,
        order: Option<Scope>,
    ) {
        let Some(ended) = self.mbarriers.get(&barrier).map(|mbarrier| &mbarrier.ended) else {
            return;
        };
        let mut released = ended.own.clone();
        if order != Some(Scope::Block) {
            released.join(&ended.others);
        }
        let clocks = self.blocks.entry(context.block).or_default();
        let mut joined: Option<(Clock, Clock)> = None;
        for lane in lanes_of(lanes) {
            // What a relaxed wait acquires awaits a fence.
            let known = if order.is_some() { &mut clocks.known } else { &mut clocks.taken };
            let known = known.entry(context.warp * 32 + lane as u32).or_default();
            match &joined {
                Some((before, after)) if before.same(known) => *known = after.clone(),
                _ => {
                    let before = known.clone();
                    known.join(&released);
                    joined = Some((before, known.clone()));
                }
            }
        }
    }
}
