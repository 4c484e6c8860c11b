//! Happens-before by mbarriers: who arrives releases, and who learns that a phase has ended acquires what
//! was done before all arrivals of that phase and of earlier ones.

use super::{HappensBefore, rows};
use crate::event::{BarrierId, WarpContext};
use crate::lanes::lanes_of;
use crate::observe::races::vector_clock::Clock;

/// What was done before the arrivals at an mbarrier.
#[derive(Debug, Default)]
pub(super) struct Mbarrier {
    /// In the phase that has begun.
    arriving: Clock,
    /// In the phases that have ended.
    ended: Clock,
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
    pub(crate) fn arrive(&mut self, context: &WarpContext<'_>, lanes: u32, barrier: BarrierId) {
        for lane in lanes_of(lanes) {
            let known = self.knowledge(context, lane);
            self.mbarriers.entry(barrier).or_default().arriving.join(&known);
        }
    }

    /// All have arrived.
    pub(crate) fn end_phase(&mut self, barrier: BarrierId) {
        let mbarrier = self.mbarriers.entry(barrier).or_default();
        mbarrier.ended.join(&std::mem::take(&mut mbarrier.arriving));
    }

    /// Threads learn that a phase has ended.
    pub(crate) fn pass(&mut self, context: &WarpContext<'_>, lanes: u32, barrier: BarrierId) {
        let Some(ended) = self.mbarriers.get(&barrier).map(|mbarrier| &mbarrier.ended) else {
            return;
        };
        let clocks = self.blocks.entry(context.block).or_default();
        let mut joined: Option<(Clock, Clock)> = None;
        for lane in lanes_of(lanes) {
            let known = clocks.known.entry(context.warp * 32 + lane as u32).or_default();
            match &joined {
                Some((before, after)) if before.same(known) => *known = after.clone(),
                _ => {
                    let before = known.clone();
                    known.join(ended);
                    joined = Some((before, known.clone()));
                }
            }
        }
    }
}
