//! The interpreter: the state of one host thread that runs blocks.

pub(crate) mod cluster_barrier;
pub(crate) mod dispatch;
mod matrix;
pub(crate) mod named_barrier;
pub(crate) mod warp_sync;

use crate::event::{
    BlockSplit, Boundary, Interests, LanesAt, Observer, SegmentStart, Split, SplitState,
};
use crate::isa::{Category, Inst, Scope};
use crate::machine::access::address_pattern::UnplannedPattern;
use crate::machine::access::fast_path::PlannedAccess;
use crate::machine::access::plan::Plan;
use crate::machine::asynchronous::WarpGroupTile;
use crate::machine::prepared_kernel::PreparedKernel;
use crate::machine::schedule::block::Block;
use crate::machine::schedule::warp::Warp;
use crate::machine::simd::{Wide, lanes_of};
use crate::machine::{ChildLaunch, Model, Outcome};
use crate::random::SplitMix64;

/// Backward jumps per turn.
const QUANTUM: u32 = 4096;

/// Warp-instructions that a launch may execute after a refused access, to find what else is wrong.
/// Hardware stops at once, and what such a launch waits for may never come.
pub(crate) const GRACE: u64 = 1 << 24;

/// One interpreter.
pub(crate) struct Interpreter<'a> {
    pub(crate) prepared: &'a PreparedKernel<'a>,
    pub(crate) observer: &'a mut dyn Observer,
    /// The events that the observer needs.
    pub(crate) interests: Interests,
    pub(crate) printed: Vec<u8>,
    pub(crate) child_launches: Vec<ChildLaunch>,
    /// Warp-instructions executed.
    pub(crate) steps: u64,
    /// The warp-instructions of the busiest warp of the blocks that ended.
    pub(crate) longest_warp: u64,
    pub(crate) budget: u64,
    /// For the copy of the loop that uses wide vectors, if the processor has them.
    pub(crate) wide: Option<Wide>,
    /// Whether an access was refused.
    pub(crate) faulted: bool,
    /// Steps at which a launch that has faulted is stopped.
    grace_ends: Option<u64>,
    /// Where a thread was when the launch was stopped.
    pub(crate) stopped_at: Option<LanesAt>,
    /// Whether global or shared memory was changed since the last turn.
    pub(crate) changed: bool,
    /// Steps at the last progress: memory changed, a barrier opened, or a thread exited.
    pub(crate) changed_at: u64,
    /// Asynchronous operations issued.
    pub(crate) operations: u32,
    /// The number of the last segment.
    pub(crate) segment: u32,
    /// [`PreparedKernel::plans`], each with its last pattern.
    pub(crate) planned: Vec<PlannedAccess>,
    /// For each instruction the last pattern of accesses that have no plan.
    pub(crate) unplanned: Vec<Option<Box<UnplannedPattern>>>,
    /// The number of the last pattern.
    pub(crate) last_pattern: u64,
    /// The other blocks of the running block's cluster, in the order of their ranks.
    pub(crate) peers: Vec<Block>,
    /// Scratch space for the splits that wait at a barrier.
    pub(crate) waiting: Vec<BlockSplit>,
    /// Products of matrices.
    tensor: matrix::Tensor,
    /// Products of warp groups.
    pub(crate) warp_group: WarpGroupTile,
    random: SplitMix64,
}

impl<'a> Interpreter<'a> {
    pub(crate) fn new(
        prepared: &'a PreparedKernel<'a>,
        observer: &'a mut dyn Observer,
        budget: u64,
    ) -> Interpreter<'a> {
        let seed = if let Model::Adversarial(seed) = prepared.model { seed } else { 0 };
        let planned = |plan: &Plan| PlannedAccess::new(*plan, prepared, observer);
        Interpreter {
            prepared,
            planned: prepared.plans.iter().map(planned).collect(),
            unplanned: prepared.kernel.code.iter().map(|_| None).collect(),
            interests: observer.interests(),
            observer,
            printed: Vec::new(),
            child_launches: Vec::new(),
            steps: 0,
            longest_warp: 0,
            budget,
            wide: Wide::detect(),
            faulted: false,
            grace_ends: None,
            stopped_at: None,
            changed: false,
            changed_at: 0,
            operations: 0,
            segment: 0,
            last_pattern: 0,
            peers: Vec::new(),
            waiting: Vec::new(),
            tensor: matrix::Tensor::default(),
            warp_group: WarpGroupTile::default(),
            random: SplitMix64(seed),
        }
    }

    /// Why the launch does not go on, although its budget is not spent.
    pub(crate) fn cut_short(&mut self) -> Option<Outcome> {
        if self.prepared.interrupt.reason().is_some() {
            return Some(Outcome::Interrupted);
        }
        let ends = self.faulted.then(|| *self.grace_ends.get_or_insert(self.steps + GRACE))?;
        (self.steps >= ends).then_some(Outcome::Faulted)
    }

    /// The next number of the seeded sequence.
    pub(crate) fn draw(&mut self) -> u64 {
        self.random.next_u64()
    }

    pub(crate) fn flip(&mut self) -> bool {
        self.draw() & 1 == 1
    }

    pub(crate) fn adversarial(&self) -> bool {
        matches!(self.prepared.model, Model::Adversarial(_))
    }

    /// Under the adversarial model: whether the turn ends after this instruction.
    pub(crate) fn interrupt(&mut self, inst: &Inst) -> bool {
        let may = inst.is_access() || inst.category() == Category::Asynchronous;
        may && self.draw().is_multiple_of(8)
    }

    /// Backward jumps until the turn is over.
    pub(crate) fn quantum(&mut self) -> u32 {
        if self.adversarial() { 1 + (self.draw() % 64) as u32 } else { QUANTUM }
    }

    /// Takes the split that runs next: the one at the lowest pc, since the others wait further on;
    /// before Volta, the one that diverged last; under the adversarial model, any.
    pub(crate) fn choose(&mut self, warp: &mut Warp) -> Option<Split> {
        let ready = |s: &Split| s.state == SplitState::Ready;
        let mut all = warp.splits.iter().enumerate().filter(|(_, s)| ready(s));
        let at = match self.prepared.model {
            Model::Volta if warp.yielded => all.next()?.0,
            Model::Volta => all.min_by_key(|(_, s)| s.pc)?.0,
            Model::Pascal => all.next_back()?.0,
            Model::Adversarial(_) => {
                let some: Vec<usize> = all.map(|(at, _)| at).collect();
                if some.is_empty() {
                    return None;
                }
                some[(self.draw() % some.len() as u64) as usize]
            }
        };
        warp.yielded = false;
        Some(warp.splits.remove(at))
    }

    /// Starts a new segment for some lanes of a warp: accesses before it are ordered before those in it,
    /// as seen by these lanes.
    pub(crate) fn begin_segment(
        &mut self,
        block: &Block,
        warp: &mut Warp,
        lanes: u32,
        boundary: Boundary,
    ) {
        if !self.interests.checks {
            return;
        }
        self.segment = self.segment.saturating_add(1);
        let segment = self.segment;
        let start = SegmentStart {
            block: block.linear,
            phase: block.phase,
            warp: warp.number,
            lanes,
            boundary,
            before: &warp.segments,
        };
        self.observer.segment_started(segment, &start);
        for lane in lanes_of(lanes) {
            warp.segments[lane] = segment;
        }
    }

    pub(crate) fn fence(&mut self, block: &Block, warp: &mut Warp, lanes: u32, scope: Scope) {
        self.observer.fence(&warp.context(block), lanes, scope);
        self.begin_segment(block, warp, lanes, Boundary::Fence);
    }
}
