//! Fences between the proxies: `fence.proxy.async` and `fence.mbarrier_init`; and the making of
//! mbarriers, which both the threads and the agents must know of.
//!
//! A thread's write and an asynchronous read of it go through different proxies. They are ordered only
//! if a proxy fence of that memory stands somewhere on the way: after the write, and before the issue,
//! by whichever thread.
//!
//! A thread may use an mbarrier only behind its `mbarrier.init`, by a barrier. The shadow memory does not
//! tell: it takes a wait for a poll, and forgets the `init` behind the first arrival.

use super::order::Waited;
use crate::event::{BarrierId, LanesAt, Space, WarpContext};
use crate::isa::FencedMemory;
use crate::observe::races::vector_clock::Clock;
use rustc_hash::FxHashMap;

/// A proxy fence: when, and what its first thread knew.
#[derive(Debug)]
pub(super) struct Fence {
    pub(super) waited: Waited,
    memory: FencedMemory,
    known: Clock,
}

/// The making of an mbarrier.
#[derive(Debug, Clone, Copy)]
pub(super) struct Made {
    pub(super) thread: u32,
    pub(super) pc: u32,
    /// The segment of the thread.
    pub(super) segment: u32,
    /// If it has fenced since: at how many cluster barriers it had arrived then.
    pub(super) fenced: Option<u32>,
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct ProxyFences {
    fences: Vec<Fence>,
    barriers: FxHashMap<BarrierId, Made>,
}

impl ProxyFences {
    pub(super) fn clear(&mut self) {
        *self = ProxyFences::default();
    }

    pub(super) fn add(&mut self, waited: Waited, memory: FencedMemory, known: Clock) {
        self.fences.push(Fence { waited, memory, known });
    }

    /// The fences of that memory after an access of a thread in a segment, the latest first.
    pub(super) fn after(
        &self,
        who: (u32, u32),
        (segment, phase): (u32, u32),
        space: Space,
    ) -> impl Iterator<Item = &Fence> {
        let of_it = move |fence: &&Fence| match space {
            Space::Global => fence.memory.has_global(),
            _ => fence.memory.has_shared(),
        };
        self.fences.iter().rev().filter(of_it).filter(move |fence| {
            let own = fence.waited.segment_of(who).is_some_and(|at| at >= segment);
            own || fence.known.holds(who, segment, phase)
        })
    }

    /// A thread makes an mbarrier.
    pub(super) fn barrier_made(
        &mut self,
        context: &WarpContext<'_>,
        at: LanesAt,
        barrier: BarrierId,
    ) {
        let lane = at.lanes.trailing_zeros();
        let (thread, segment) = (at.warp * 32 + lane, context.segments[lane as usize % 32]);
        self.barriers.insert(barrier, Made { thread, pc: at.pc, segment, fenced: None });
    }

    /// How an mbarrier was made.
    pub(super) fn made(&self, barrier: BarrierId) -> Option<Made> {
        self.barriers.get(&barrier).copied()
    }

    /// Threads fence the mbarriers that they have made, each after so many arrivals at the cluster's barrier.
    /// Returns those that were not fenced before.
    pub(super) fn barriers_fenced(
        &mut self,
        context: &WarpContext<'_>,
        lanes: u32,
        arrivals: &[u32],
    ) -> Vec<BarrierId> {
        let mut fenced = Vec::new();
        for (barrier, made) in &mut self.barriers {
            let own = barrier.block == context.block && made.thread / 32 == context.warp;
            let lane = made.thread % 32;
            if own && made.fenced.is_none() && lanes >> lane & 1 == 1 {
                made.fenced = Some(arrivals[lane as usize]);
                fenced.push(*barrier);
            }
        }
        fenced
    }
}
