//! Execution events, and the trait of those who observe them.
//!
//! The machine emits events; observers count and judge ([`crate::observe`]). Events are plain data:
//! numbers, and slices of the machine's own arrays, so an event allocates nothing. The machine sees
//! one observer of unknown type ([`Observer`] is a trait object there), which keeps its loop compiled
//! once; a pair of observers is an observer, composed statically. [`Interests`] say which events an
//! observer needs, and the others are not computed.

mod asynchronous;

pub(crate) use asynchronous::{
    Agent, Awaited, BarrierId, BarrierMisuse, BarrierState, Channel, Issue, MapMisuse, Portion,
};

use crate::isa::{FencedMemory, GroupKind, Inst, MemTy, Reg, Scope};

/// The address spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    /// Arrays of the host, the heap, and `__device__` variables.
    Global,
    /// One per block.
    Shared,
    /// One per thread.
    Local,
}

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

    /// Whether it is a read-modify-write, whether or not the old value is used.
    pub(crate) fn is_atomic(self) -> bool {
        matches!(self, AccessKind::Atomic | AccessKind::Reduction)
    }
}

/// How the addresses of an access relate to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Each lane's element directly follows the previous lane's.
    Contiguous,
    /// All lanes have the same address.
    Uniform,
    /// Neither.
    Scattered,
}

/// Lanes of one warp at one instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LanesAt {
    /// The block's number in the grid.
    pub(crate) block: u32,
    /// The warp's number in the block.
    pub(crate) warp: u32,
    pub(crate) pc: u32,
    /// Never empty.
    pub(crate) lanes: u32,
}

/// The state of a warp that orders its accesses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WarpContext<'a> {
    /// The block's number in the grid.
    pub(crate) block: u32,
    /// The warp's number in the block.
    pub(crate) warp: u32,
    /// The storage that the block uses: each resident block has its own.
    pub(crate) slot: usize,
    /// The number of block-wide barriers passed.
    pub(crate) phase: u32,
    /// The segment that each lane is in ([`Observer::segment_started`]).
    pub(crate) segments: &'a [u32; 32],
}

/// What begins a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Boundary {
    /// The block starts, or its barrier opens.
    Barrier,
    /// A `__syncwarp`; `whole`: of all lanes that have not exited.
    Warp { whole: bool },
    /// A fence.
    Fence,
}

/// A segment, as it begins: what lanes of a warp do between two synchronisations.
#[derive(Debug)]
pub(crate) struct SegmentStart<'a> {
    pub(crate) block: u32,
    pub(crate) phase: u32,
    pub(crate) warp: u32,
    pub(crate) lanes: u32,
    pub(crate) boundary: Boundary,
    /// The segment that each lane leaves.
    pub(crate) before: &'a [u32; 32],
}

/// One value per lane.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Operand<'a> {
    Words(&'a [u32; 32]),
    Pairs(&'a [u64; 32]),
}

impl Operand<'_> {
    pub(crate) fn lane(self, lane: usize) -> u64 {
        match self {
            Operand::Words(values) => values[lane].into(),
            Operand::Pairs(values) => values[lane],
        }
    }
}

/// Lanes of one instruction access one object.
#[derive(Debug)]
pub(crate) struct Access<'a> {
    pub(crate) pc: u32,
    pub(crate) kind: AccessKind,
    pub(crate) scope: Scope,
    pub(crate) volatile: bool,
    /// The expected values of a compare-and-swap whose result is used, which is how locks are taken.
    pub(crate) compares: Option<Operand<'a>>,
    /// Whether this is the instruction's first object: it counts as one request.
    pub(crate) first: bool,
    pub(crate) space: Space,
    /// Index of the object, for global ones; for shared memory 0, or 1 + the rank of another block of the
    /// cluster.
    pub(crate) object: u32,
    /// Never empty.
    pub(crate) lanes: u32,
    pub(crate) shape: Shape,
    /// Accesses of one instruction with the same pattern (not 0): all lanes are active, and the
    /// distances between their addresses are equal.
    pub(crate) pattern: u64,
    /// Bytes from the start of the object, or of shared or local memory. Inactive lanes repeat the
    /// offset of an active one.
    pub(crate) offsets: &'a [u32; 32],
    /// Bytes per lane.
    pub(crate) width: u32,
    /// The values that a store writes.
    pub(crate) stored: Option<(Operand<'a>, MemTy)>,
    /// Lanes that read bytes which nothing was written to; computed for [checks](Interests::checks).
    pub(crate) unwritten: u32,
    /// The block's shared memory.
    pub(crate) shared: &'a [u32],
}

/// Lanes whose access was refused: outside of every object, across an end, or misaligned. Or lanes whose
/// address in shared memory has more than 32 bits, which was done at the address of the low 32.
#[derive(Debug)]
pub(crate) struct RefusedAccess<'a> {
    pub(crate) at: LanesAt,
    pub(crate) kind: AccessKind,
    pub(crate) pointers: &'a [u64; 32],
    /// Bytes per lane.
    pub(crate) width: u32,
    /// It was done at the wrapped address.
    pub(crate) wrapped: bool,
}

/// Lanes of a warp that execute together, and what they wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Split {
    /// The instruction to execute next, or the one that waits.
    pub(crate) pc: u32,
    pub(crate) mask: u32,
    pub(crate) state: SplitState,
}

/// What a split waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum SplitState {
    /// Nothing: it may run.
    Ready,
    /// The other lanes of a convergence barrier.
    Converge(u16),
    /// The block-wide barrier.
    Block,
    /// A named barrier.
    Named(u32),
    /// The barrier of the cluster.
    Cluster,
    /// The lanes that the mask of a `*_sync` operation names.
    Sync,
    /// The products of the other lanes of its warp group.
    WarpGroup,
}

/// A split of a block's warp.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockSplit {
    pub(crate) warp: u32,
    pub(crate) split: Split,
    /// The mask that its first lane gives, at a `*_sync` operation.
    pub(crate) named: u32,
}

impl BlockSplit {
    /// Where it is.
    pub(crate) fn at(&self, block: u32) -> LanesAt {
        LanesAt { block, warp: self.warp, pc: self.split.pc, lanes: self.split.mask }
    }
}

/// The splits of a block that cannot go on, or whose barrier opens.
#[derive(Debug)]
pub(crate) struct BlockSplits<'a> {
    pub(crate) block: u32,
    /// Threads that have not exited.
    pub(crate) live: u32,
    pub(crate) splits: &'a [BlockSplit],
}

/// Why a launch cannot go on.
#[derive(Debug)]
pub(crate) enum Deadlock<'a> {
    /// Every split of the block waits for another.
    Stuck(BlockSplits<'a>),
    /// Before Volta: the running lanes spin, and `waits` never get a turn.
    Starved { spins: LanesAt, waits: LanesAt },
    /// Livelock: the block polls memory that nothing changes.
    NoProgress(LanesAt),
    /// The block waits at an mbarrier whose phase never ends; for the phase of this parity.
    Phase { at: LanesAt, parity: u32, barrier: BarrierState },
}

/// A mask of a `*_sync` operation, or the source lane of a shuffle, that does not fit the lanes that
/// execute it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SyncMismatch {
    /// The mask does not name its caller.
    CallerNotNamed { mask: u32 },
    /// The mask names these lanes, which have exited or never existed.
    LanesExited { lanes: u32 },
    /// Lane `reader` reads from lane `source`, which does not execute the shuffle.
    SourceAbsent { reader: usize, source: usize },
    /// The same, and it has exited or never existed.
    SourceExited { reader: usize, source: usize },
    /// They arrive at the cluster's barrier again, and have not waited at it since the last time.
    ArrivesTwice,
    /// They wait at the cluster's barrier without having arrived.
    NotArrived,
}

/// The registers of a warp.
pub(crate) trait RegisterFile {
    /// A register, or a pair (`wide`), in all lanes.
    fn values(&self, register: Reg, wide: bool) -> [u64; 32];
}

/// A warp between two of its instructions, for observers of [steps](Interests::steps).
pub(crate) struct WarpView<'a> {
    /// The block's number in the grid.
    pub(crate) block: u32,
    /// The warp's number in the block.
    pub(crate) number: u32,
    /// Lanes that exist and have not exited.
    pub(crate) live: u32,
    /// The splits that do not run at the moment.
    pub(crate) splits: &'a [Split],
    pub(crate) registers: &'a dyn RegisterFile,
    /// Local memory: word `w` of lane `l` is at `w * 32 + l`.
    pub(crate) local: &'a [u32],
    /// The block's shared memory.
    pub(crate) shared: &'a [u32],
}

/// Which events an observer needs. The machine skips the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Interests {
    /// Runs of instructions, and divergent branches.
    pub(crate) counts: bool,
    /// Accesses to global memory.
    pub(crate) global: bool,
    /// Accesses to shared and local memory.
    pub(crate) on_chip: bool,
    /// What a diagnosis needs: segments, masks, undefined values and undefined arithmetic.
    pub(crate) checks: bool,
    /// Each instruction by itself.
    pub(crate) steps: bool,
}

impl Interests {
    /// Whether they include accesses to this space.
    #[inline(always)]
    pub(crate) fn accesses(self, space: Space) -> bool {
        if space == Space::Global { self.global } else { self.on_chip }
    }

    /// The union.
    fn or(self, other: Interests) -> Interests {
        Interests {
            counts: self.counts || other.counts,
            global: self.global || other.global,
            on_chip: self.on_chip || other.on_chip,
            checks: self.checks || other.checks,
            steps: self.steps || other.steps,
        }
    }
}

/// Declares [`Observer`] with its events, and passes each event of a pair on to both.
macro_rules! events {
    ($($(#[$doc:meta])* fn $event:ident($($arg:ident: $ty:ty),* $(,)?);)*) => {
        /// An observer of a launch.
        pub(crate) trait Observer {
            /// The events that it needs: constant.
            fn interests(&self) -> Interests;

            /// Whether it needs accesses to this object, as far as is known before the launch:
            /// constant.
            fn observes(&self, space: Space, _object: u32) -> bool {
                self.interests().accesses(space)
            }

            /// Whether [`Observer::repeat`] is enough for an access.
            fn can_repeat(&self, _pc: u32, place: (Space, u32), _pattern: u64, _first: u32) -> bool {
                !self.observes(place.0, place.1)
            }

            /// Fast path: a load or a plain store with a pattern that was observed before
            /// ([`Access::pattern`]), with the first lane's offset. `false`: it needs the full
            /// [`Observer::access`], and has noted nothing.
            fn repeat(&mut self, pc: u32, place: (Space, u32), pattern: u64, first: u32) -> bool {
                self.can_repeat(pc, place, pattern, first)
            }

            /// Adds what the observer of another worker saw, of other blocks. `false`: the result
            /// depends on the order of the blocks, and they must run again on one worker.
            fn merge(&mut self, _other: Self) -> bool
            where
                Self: Sized,
            {
                true
            }

            $($(#[$doc])* fn $event(&mut self, $($arg: $ty),*) { $(let _ = $arg;)* })*
        }

        impl<A: Observer, B: Observer> Observer for (A, B) {
            fn interests(&self) -> Interests {
                self.0.interests().or(self.1.interests())
            }

            fn observes(&self, space: Space, object: u32) -> bool {
                self.0.observes(space, object) || self.1.observes(space, object)
            }

            fn can_repeat(&self, pc: u32, place: (Space, u32), pattern: u64, first: u32) -> bool {
                self.0.can_repeat(pc, place, pattern, first)
                    && self.1.can_repeat(pc, place, pattern, first)
            }

            fn repeat(&mut self, pc: u32, place: (Space, u32), pattern: u64, first: u32) -> bool {
                self.can_repeat(pc, place, pattern, first) && {
                    self.0.repeat(pc, place, pattern, first);
                    self.1.repeat(pc, place, pattern, first);
                    true
                }
            }

            fn merge(&mut self, other: Self) -> bool {
                let first = self.0.merge(other.0);
                self.1.merge(other.1) && first
            }

            $(fn $event(&mut self, $($arg: $ty),*) {
                self.0.$event($($arg),*);
                self.1.$event($($arg),*);
            })*
        }
    };
}

events! {
    /// The worker begins a range of consecutive blocks.
    fn range_started(first_block: u32);
    /// A block starts in a slot; `alone`: no other is resident.
    fn block_started(block: u32, slot: usize, alone: bool);
    /// All threads of a block have exited.
    fn block_ended(block: u32);
    /// Lanes arrive at the barrier of their cluster; `wait`: pass it. For [checks](Interests::checks).
    fn cluster_barrier(context: &WarpContext<'_>, lanes: u32, wait: bool);
    /// A warp's turn begins: the following events are its own.
    fn turn_started(block: u32, warp: u32);
    /// A warp's turn is over. For [steps](Interests::steps).
    fn turn_ended(warp: &WarpView<'_>);

    /// Lanes of a warp executed a run of instructions, from one pc up to but not including another.
    /// A run ends where control goes elsewhere or the active lanes change. For
    /// [counts](Interests::counts).
    fn executed(from: u32, to: u32, lanes: u32);
    /// At a branch some of the active lanes jump, and some do not. For [counts](Interests::counts).
    fn diverged(pc: u32);
    /// A warp is about to execute an instruction. For [steps](Interests::steps).
    fn step(warp: &WarpView<'_>, pc: u32, lanes: u32);
    /// It did not: it waits, and will execute it later. For [steps](Interests::steps).
    fn step_deferred();

    /// An access, before it happens.
    fn access(context: &WarpContext<'_>, access: &Access<'_>);
    /// Lanes do not access what their pointers say: a load gives 0, a store does nothing.
    fn access_refused(refused: &RefusedAccess<'_>);
    /// A store or an atomic to a `__constant__` object, which does nothing.
    fn constant_written(at: LanesAt, object: u32);
    /// Words of a global object were allocated: their history is another owner's.
    fn allocated(object: u32, from: u32, to: u32);
    /// `free` of a pointer that no live allocation has, which does nothing.
    fn free_failed(at: LanesAt, pointer: u64);

    /// A variable is read in lanes in which it was not assigned. For [checks](Interests::checks).
    fn undefined_read(at: LanesAt, variable: u16);
    /// A shift, or a division of integers, with its right operand, before it happens. For
    /// [checks](Interests::checks).
    fn divide_or_shift(at: LanesAt, inst: &Inst, right: Operand<'_>);
    /// A trap or a failed assertion.
    fn trapped(at: LanesAt, trap: u16);

    /// A segment begins. Two accesses in different segments of one lane are ordered; what else is
    /// follows from how the segments begin. For [checks](Interests::checks).
    fn segment_started(segment: u32, start: &SegmentStart<'_>);
    /// A fence. For [checks](Interests::checks).
    fn fence(context: &WarpContext<'_>, lanes: u32, scope: Scope);
    /// Lanes and masks of a `*_sync` operation do not fit. For [checks](Interests::checks).
    fn sync_mismatch(at: LanesAt, mismatch: SyncMismatch);
    /// All threads of the block that have not exited wait at its barrier, which opens next. For
    /// [checks](Interests::checks).
    fn barrier_complete(waiting: &BlockSplits<'_>);
    /// The block's barrier opens.
    fn barrier_opened(block: u32);
    /// The block's barrier has opened for this warp. For [steps](Interests::steps).
    fn barrier_passed(warp: &WarpView<'_>);

    /// A warp starts an asynchronous operation, which reads and writes from now on until it is
    /// [awaited](Observer::awaited).
    fn issued(context: &WarpContext<'_>, issue: &Issue<'_>);
    /// An operation is done, in this phase of its mbarrier.
    fn completed(id: u32, phase: u32);
    /// Lanes of a warp learn that operations are done. They are in a new segment. For
    /// [checks](Interests::checks); where it is the phase of an mbarrier that is done, also for
    /// [steps](Interests::steps).
    fn awaited(context: &WarpContext<'_>, lanes: u32, awaited: Awaited);
    /// Threads arrive at an mbarrier, and begin a new segment then. What they did before is released to
    /// threads of that scope, if any. For [checks](Interests::checks).
    fn arrived(context: &WarpContext<'_>, lanes: u32, barrier: BarrierId, order: Option<Scope>);
    /// Lanes will arrive at an mbarrier when their groups of a kind before that number are done.
    fn arrives_after(context: &WarpContext<'_>, lanes: u32, barrier: BarrierId, kind: GroupKind, before: u32);
    /// A phase of an mbarrier ends: the one of this number.
    fn phase_ended(barrier: BarrierId, phase: u32);
    /// `fence.proxy.async`; the lanes begin a new segment then. For [checks](Interests::checks).
    fn proxy_fence(context: &WarpContext<'_>, lanes: u32, memory: FencedMemory);
    /// `wgmma.fence`. For [checks](Interests::checks).
    fn product_fence(context: &WarpContext<'_>, lanes: u32);
    /// `fence.mbarrier_init`; the lanes begin a new segment then. For [checks](Interests::checks).
    fn barrier_init_fence(context: &WarpContext<'_>, lanes: u32);
    /// A thread makes an mbarrier. For [checks](Interests::checks).
    fn barrier_made(context: &WarpContext<'_>, at: LanesAt, barrier: BarrierId);
    /// An mbarrier is used wrongly, and nothing is done.
    fn barrier_misused(at: LanesAt, offset: u32, misuse: BarrierMisuse);

    /// A tensor copy cannot be done, and nothing is.
    fn map_misused(at: LanesAt, misuse: MapMisuse);

    /// A block cannot go on; the launch ends.
    fn deadlocked(deadlock: &Deadlock<'_>);
}
