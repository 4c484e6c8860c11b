//! Fences between the proxies: `fence.proxy.async` and `fence.mbarrier_init`.
//!
//! A thread's write and an asynchronous read of it go through different proxies. They are ordered only
//! if a proxy fence stands somewhere on the way: after the write, and before the issue, by whichever
//! thread.

use super::order::Waited;
use crate::event::{BarrierId, WarpContext};
use crate::observe::races::vector_clock::Clock;
use rustc_hash::FxHashMap;

/// A proxy fence: when, and what its first thread knew.
#[derive(Debug)]
pub(super) struct Fence {
    pub(super) waited: Waited,
    known: Clock,
}

/// The thread that made an mbarrier, where, and whether it has fenced since.
#[derive(Debug, Clone, Copy)]
struct Made {
    thread: u32,
    pc: u32,
    fenced: bool,
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

    pub(super) fn add(&mut self, waited: Waited, known: Clock) {
        self.fences.push(Fence { waited, known });
    }

    /// The fences after an access of a thread in a segment, the latest first.
    pub(super) fn after(
        &self,
        who: (u32, u32),
        segment: u32,
        phase: u32,
    ) -> impl Iterator<Item = &Fence> {
        self.fences.iter().rev().filter(move |fence| {
            let own = fence.waited.segment_of(who).is_some_and(|at| at >= segment);
            own || fence.known.holds(who, segment, phase)
        })
    }

    /// A thread makes an mbarrier.
    pub(super) fn barrier_made(&mut self, barrier: BarrierId, thread: u32, pc: u32) {
        self.barriers.insert(barrier, Made { thread, pc, fenced: false });
    }

    /// Threads fence the mbarriers that they have made.
    pub(super) fn barriers_fenced(&mut self, context: &WarpContext<'_>, lanes: u32) {
        for (barrier, made) in &mut self.barriers {
            let own = barrier.block == context.block && made.thread / 32 == context.warp;
            made.fenced |= own && lanes >> (made.thread % 32) & 1 == 1;
        }
    }

    /// The thread that made an mbarrier and where, if no fence followed.
    pub(super) fn unfenced(&self, barrier: BarrierId) -> Option<(u32, u32)> {
        let made = self.barriers.get(&barrier).filter(|made| !made.fenced)?;
        Some((made.thread, made.pc))
    }
}
