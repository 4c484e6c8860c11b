//! What the machine tells: the events, and who listens.
//!
//! A pair of observers is an observer, composed statically; the machine itself speaks to one whose
//! type it does not know, so that its loop is compiled once for all of them. What an observer does
//! not want ([`Interests`]) is not computed.

use super::{Counters, Findings, History, LineCounters};
use crate::isa::{MemTy, Reg, Scope};
use crate::machine::memory::Space;
use crate::machine::program::Program;
use crate::machine::schedule::block::Block;
use crate::machine::schedule::warp::Warp;
use crate::machine::simd::Registers;

/// What an access does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AccessKind {
    Load,
    Store,
    /// An atomic whose old value is used.
    Atomic,
    /// An atomic whose old value is dropped.
    Reduction,
}

impl AccessKind {
    /// The word for messages.
    pub(crate) fn word(self) -> &'static str {
        match self {
            AccessKind::Load => "read",
            AccessKind::Store => "write",
            AccessKind::Atomic | AccessKind::Reduction => "atomic",
        }
    }
}

/// How the addresses of an access lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// One lane's element directly behind the other's.
    Contiguous,
    /// All lanes have the same address.
    Uniform,
    /// Neither.
    Scattered,
}

/// Where a warp stands.
#[derive(Debug)]
pub(crate) struct WarpContext<'a> {
    pub(crate) program: &'a Program<'a>,
    /// The block's number in the grid.
    pub(crate) block: u32,
    /// The warp's number in the block.
    pub(crate) warp: u32,
    /// The storage that the block uses: resident blocks have one each.
    pub(crate) slot: usize,
    /// Block-wide barriers passed.
    pub(crate) epoch: u32,
    /// For each lane the stretch between synchronisations that it is in.
    pub(crate) segments: &'a [u32; 32],
}

/// What begins a stretch between synchronisations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Boundary {
    /// The block starts, or its barrier opens.
    Barrier,
    /// A `__syncwarp`; `whole`: of all lanes that have not exited.
    Warp { whole: bool },
    /// A fence.
    Fence,
}

/// A stretch between synchronisations, as it begins.
#[derive(Debug)]
pub(crate) struct SegmentStart<'a> {
    pub(crate) block: u32,
    pub(crate) epoch: u32,
    pub(crate) warp: u32,
    pub(crate) lanes: u32,
    pub(crate) boundary: Boundary,
    /// For each lane the stretch that ends.
    pub(crate) before: &'a [u32; 32],
}

/// Lanes of one instruction access one object.
#[derive(Debug)]
pub(crate) struct Access<'a> {
    pub(crate) pc: u32,
    pub(crate) kind: AccessKind,
    pub(crate) scope: Scope,
    pub(crate) volatile: bool,
    /// For a compare-and-swap whose result is looked at, which is how locks are taken, where the
    /// values stand with which it compares, and whether they have 64 bits.
    pub(crate) compares: Option<(&'a Registers, Reg, bool)>,
    /// Whether this is the instruction's first object: it counts as one request.
    pub(crate) whole: bool,
    pub(crate) space: Space,
    /// Index into [`Program::objects`], for global ones.
    pub(crate) object: u32,
    /// Never empty.
    pub(crate) lanes: u32,
    pub(crate) shape: Shape,
    /// Where this is the same for two accesses of one instruction, and not 0: all lanes are active
    /// in both, and every lane went as far from the first one.
    pub(crate) pattern: u64,
    /// Bytes from the start of the object, or of shared or local memory; for lanes that are not
    /// active, one of the others' places.
    pub(crate) offsets: &'a [u32; 32],
    /// Bytes a lane.
    pub(crate) width: u32,
    /// For stores, where the values stand.
    pub(crate) stored: Option<(&'a Registers, Reg, MemTy)>,
    /// The block's shared memory.
    pub(crate) shared: &'a [u32],
}

/// What an observer wants to hear of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Interests {
    /// Stretches and branches: it counts.
    pub(crate) counts: bool,
    /// Accesses to global memory.
    pub(crate) memory: bool,
    /// Accesses to shared and local memory, too.
    pub(crate) block: bool,
    /// It judges: told of what orders accesses, too.
    pub(crate) checks: bool,
    /// Each instruction by itself.
    pub(crate) steps: bool,
}

impl Interests {
    /// Whether it wants to hear of accesses to this space.
    #[inline(always)]
    pub(crate) fn accesses(self, space: Space) -> bool {
        if space == Space::Global { self.memory } else { self.block }
    }

    /// What one of two wants, or both.
    fn or(self, other: Interests) -> Interests {
        Interests {
            counts: self.counts || other.counts,
            memory: self.memory || other.memory,
            block: self.block || other.block,
            checks: self.checks || other.checks,
            steps: self.steps || other.steps,
        }
    }
}

/// Somebody who watches a launch.
pub(crate) trait Observer: std::fmt::Debug {
    /// What it wants to hear of; the same at any time.
    fn wants(&self) -> Interests;

    /// Whether it has to hear of accesses to this object, if the object is known before: the same at
    /// any time.
    fn observes(&self, space: Space, _object: u32) -> bool {
        self.wants().accesses(space)
    }

    /// A warp's turn begins: what follows is its doing.
    fn turn(&mut self, _block: u32, _warp: u32) {}
    /// Lanes of a warp executed all instructions from one place up to, and not including, another:
    /// told to who [counts](Wants::counts). A stretch ends where control goes elsewhere or the active lanes change.
    fn stretch(&mut self, _from: u32, _to: u32, _mask: u32) {}
    /// A warp is about to execute an instruction: told to who wants [steps](Wants::steps).
    fn instruction(&mut self, _block: &Block, _warp: &Warp, _pc: u32, _mask: u32) {}
    /// It did not: it waits, and will execute it later.
    fn deferred(&mut self, _pc: u32, _mask: u32) {}
    /// Its turn is over.
    fn rest(&mut self, _block: &Block, _warp: &Warp) {}
    /// The block's barrier has opened for this warp, which may wait no more.
    fn barrier_passed(&mut self, _block: &Block, _warp: &Warp) {}
    /// At a branch some of the active lanes jump, and some do not: told to who
    /// [counts](Wants::counts).
    fn diverged(&mut self, _pc: u32) {}
    /// Whether [`Observer::again`] says enough of an access.
    fn knows(&self, _pc: u32, place: (Space, u32), _pattern: u64, _first: u32) -> bool {
        !self.observes(place.0, place.1)
    }
    /// A load or a store whose lanes lie in a pattern ([`Access::pattern`]), the first of them at
    /// `first`. `false`: it has to hear more of it, and has noted nothing.
    fn again(&mut self, pc: u32, place: (Space, u32), pattern: u64, first: u32) -> bool {
        self.knows(pc, place, pattern, first)
    }
    /// An access, before it happens.
    fn access(&mut self, _here: &WarpContext<'_>, _access: &Access<'_>, _findings: &mut Findings) {}
    /// A block starts; `alone`: no other is resident.
    fn block(&mut self, _block: u32, _alone: bool) {}
    /// The block's barrier opens.
    fn barrier(&mut self, _block: u32) {}
    /// A stretch between synchronisations begins.
    fn segment(&mut self, _interval: u32, _stretch: &SegmentStart<'_>) {}
    /// Words of an object of global memory are somebody's for the first time.
    fn fresh(&mut self, _object: u32, _words: std::ops::Range<u32>) {}
    /// A fence.
    fn fence(&mut self, _here: &WarpContext<'_>, _lanes: u32, _scope: Scope) {}
    /// Takes in what a worker saw of other blocks.
    ///
    /// `false`: the two touched the same memory, and must not have been kept apart.
    fn merge(&mut self, _other: &Self) -> bool
    where
        Self: Sized,
    {
        true
    }
    /// The totals, and the lines, where it counted.
    fn counters(&self, _program: &Program<'_>) -> (Counters, Vec<LineCounters>) {
        (Counters::default(), Vec::new())
    }
    /// What was recorded.
    fn history(&mut self) -> Option<History> {
        None
    }
}

/// Nobody.
#[derive(Debug)]
pub(crate) struct NoObserver;

impl Observer for NoObserver {
    fn wants(&self) -> Interests {
        Interests::default()
    }
}

impl<A: Observer, B: Observer> Observer for (A, B) {
    fn wants(&self) -> Interests {
        self.0.wants().or(self.1.wants())
    }

    fn observes(&self, space: Space, object: u32) -> bool {
        self.0.observes(space, object) || self.1.observes(space, object)
    }

    fn fresh(&mut self, object: u32, words: std::ops::Range<u32>) {
        self.0.fresh(object, words.clone());
        self.1.fresh(object, words);
    }

    fn turn(&mut self, block: u32, warp: u32) {
        self.0.turn(block, warp);
        self.1.turn(block, warp);
    }

    fn stretch(&mut self, from: u32, to: u32, mask: u32) {
        self.0.stretch(from, to, mask);
        self.1.stretch(from, to, mask);
    }

    fn instruction(&mut self, block: &Block, warp: &Warp, pc: u32, mask: u32) {
        self.0.instruction(block, warp, pc, mask);
        self.1.instruction(block, warp, pc, mask);
    }

    fn rest(&mut self, block: &Block, warp: &Warp) {
        self.0.rest(block, warp);
        self.1.rest(block, warp);
    }

    fn barrier_passed(&mut self, block: &Block, warp: &Warp) {
        self.0.barrier_passed(block, warp);
        self.1.barrier_passed(block, warp);
    }

    fn deferred(&mut self, pc: u32, mask: u32) {
        self.0.deferred(pc, mask);
        self.1.deferred(pc, mask);
    }

    fn diverged(&mut self, pc: u32) {
        self.0.diverged(pc);
        self.1.diverged(pc);
    }

    fn knows(&self, pc: u32, place: (Space, u32), pattern: u64, first: u32) -> bool {
        self.0.knows(pc, place, pattern, first) && self.1.knows(pc, place, pattern, first)
    }

    fn again(&mut self, pc: u32, place: (Space, u32), pattern: u64, first: u32) -> bool {
        self.knows(pc, place, pattern, first) && {
            self.0.again(pc, place, pattern, first);
            self.1.again(pc, place, pattern, first);
            true
        }
    }

    fn access(&mut self, here: &WarpContext<'_>, access: &Access<'_>, findings: &mut Findings) {
        self.0.access(here, access, findings);
        self.1.access(here, access, findings);
    }

    fn block(&mut self, block: u32, alone: bool) {
        self.0.block(block, alone);
        self.1.block(block, alone);
    }

    fn barrier(&mut self, block: u32) {
        self.0.barrier(block);
        self.1.barrier(block);
    }

    fn segment(&mut self, segment: u32, stretch: &SegmentStart<'_>) {
        self.0.segment(segment, stretch);
        self.1.segment(segment, stretch);
    }

    fn fence(&mut self, here: &WarpContext<'_>, lanes: u32, scope: Scope) {
        self.0.fence(here, lanes, scope);
        self.1.fence(here, lanes, scope);
    }

    fn merge(&mut self, other: &Self) -> bool {
        let first = self.0.merge(&other.0);
        self.1.merge(&other.1) && first
    }

    fn counters(&self, program: &Program<'_>) -> (Counters, Vec<LineCounters>) {
        self.0.counters(program)
    }

    fn history(&mut self) -> Option<History> {
        self.0.history()
    }
}
