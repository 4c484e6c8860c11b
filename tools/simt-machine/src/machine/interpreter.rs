//! What one thread of this computer needs to run blocks: the program, its observers, what was
//! found and printed, and who goes next.

pub(crate) mod dispatch;
pub(crate) mod warp_sync;

use crate::event::{BlockSplit, Boundary, Interests, Observer, SegmentStart, Split, SplitState};
use crate::isa::{Inst, Scope};
use crate::machine::access::cache::UnplannedPattern;
use crate::machine::access::plan::Plan;
use crate::machine::access::planned::PlannedAccess;
use crate::machine::program::Program;
use crate::machine::schedule::block::Block;
use crate::machine::schedule::warp::Warp;
use crate::machine::simd::{Wide, lanes_of};
use crate::machine::{ChildLaunch, Model};

/// Backward jumps in a turn.
const QUANTUM: u32 = 4096;

/// One worker.
#[derive(Debug)]
pub(crate) struct Interpreter<'a> {
    pub(crate) program: &'a Program<'a>,
    pub(crate) observer: &'a mut dyn Observer,
    /// What the observer wants to hear of.
    pub(crate) interests: Interests,
    pub(crate) printed: Vec<u8>,
    pub(crate) child_launches: Vec<ChildLaunch>,
    /// Warp-instructions executed.
    pub(crate) steps: u64,
    pub(crate) budget: u64,
    /// Whether the loop that uses wide vectors may be used.
    pub(crate) wide: Option<Wide>,
    /// Whether an access was refused.
    pub(crate) faulted: bool,
    /// Whether memory that others can see was changed since this was last asked ...
    pub(crate) changed: bool,
    /// ... and the steps when it, a barrier or a thread's end last got the launch on.
    pub(crate) changed_at: u64,
    /// The last segment number given out.
    pub(crate) segment: u32,
    /// Each of [`Program::plans`], and how its lanes lay the last time.
    pub(crate) planned: Vec<PlannedAccess>,
    /// For each instruction how the lanes of other accesses lay.
    pub(crate) unplanned: Vec<Option<Box<UnplannedPattern>>>,
    /// The last number given to a pattern.
    pub(crate) last_pattern: u64,
    /// Scratch space for the splits that wait at a barrier.
    pub(crate) waiting: Vec<BlockSplit>,
    random: u64,
}

impl<'a> Interpreter<'a> {
    pub(crate) fn new(
        program: &'a Program<'a>,
        observer: &'a mut dyn Observer,
        budget: u64,
    ) -> Interpreter<'a> {
        let seed = if let Model::Adversarial(seed) = program.model { seed } else { 0 };
        let planned =
            |plan: &Plan| PlannedAccess::new(*plan, observer.observes(plan.space, plan.object));
        Interpreter {
            program,
            planned: program.plans.iter().map(planned).collect(),
            unplanned: program.kernel.code.iter().map(|_| None).collect(),
            interests: observer.interests(),
            observer,
            printed: Vec::new(),
            child_launches: Vec::new(),
            steps: 0,
            budget,
            wide: Wide::detect(),
            faulted: false,
            changed: false,
            changed_at: 0,
            segment: 0,
            last_pattern: 0,
            waiting: Vec::new(),
            random: seed,
        }
    }

    /// The next number of the seeded sequence (splitmix64).
    pub(crate) fn draw(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn flip(&mut self) -> bool {
        self.draw() & 1 == 1
    }

    pub(crate) fn adversarial(&self) -> bool {
        matches!(self.program.model, Model::Adversarial(_))
    }

    /// Under the adversarial model: whether somebody else goes on after this instruction.
    pub(crate) fn interrupt(&mut self, inst: &Inst) -> bool {
        matches!(inst, Inst::Load { .. } | Inst::Store { .. } | Inst::Atomic { .. })
            && self.draw().is_multiple_of(8)
    }

    /// Backward jumps until the turn is over.
    pub(crate) fn quantum(&mut self) -> u32 {
        if self.adversarial() { 1 + (self.draw() % 64) as u32 } else { QUANTUM }
    }

    /// Takes the split of the warp that goes on: the one at the lowest place in the code, since
    /// the others wait further on; before Volta, the one that parted last; or any.
    pub(crate) fn choose(&mut self, warp: &mut Warp) -> Option<Split> {
        let ready = |s: &Split| s.state == SplitState::Ready;
        let mut all = warp.splits.iter().enumerate().filter(|(_, s)| ready(s));
        let at = match self.program.model {
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

    /// Begins a new stretch of the execution for some lanes of a warp: what they did before is
    /// ordered before what they do now, as seen by each other.
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
