//! Data races: two accesses that are not ordered by happens-before, at least one of them a write.
//!
//! The method is happens-before detection with shadow memory, independent of the order in which the
//! lanes happened to run. It follows two published detectors:
//!
//! - FastTrack (Flanagan and Freund, PLDI 2009): the last write of a word is one *epoch*, not a vector
//!   clock. So is the last read, as long as reads are ordered. Unlike FastTrack, concurrent readers do
//!   not become a vector clock.
//! - HiRace (Jacobson, Burtscher and Gopalakrishnan, 2024): two bits per word summarise concurrent
//!   accesses by the level of the thread hierarchy (lanes of a warp, warps of a block, blocks). Unlike
//!   HiRace, up to two of the threads are kept with a source position, for the message.
//!
//! Barriers order the threads of a block and `__syncwarp` the lanes of a warp; that needs no clock, as
//! segments are numbered ([`segments`]). Blocks are ordered by fences with flags or locks alone, for
//! which there are vector clocks ([`happens_before`], [`vector_clock`]); as in iGUARD (Kamath and Basu,
//! SOSP 2021), locks are recognised by `atomicCAS`, and scopes count. Lockstep orders nothing, and
//! neither does a shuffle.
//!
//! A `volatile` read acquires only if its value steers something ([`polling`]).
//!
//! Two idioms are exempt: the plain read that begins a loop around `atomicCAS` ([`cas_loop`]), and
//! `volatile` reads that only poll ([`polling`]).
//!
//! Copy engines and tensor cores read and write beside the threads: [`asynchronous`].
//!
//! What is not detected: a word keeps one write and two readers, so a race with a forgotten third
//! thread may be missed (there are no false alarms from that). Words beyond 2^30 segments of a launch
//! are not checked. A finding, or its absence, concerns the path that this launch took.

mod asynchronous;
mod cas_loop;
mod check;
mod cluster;
mod fast_path;
mod happens_before;
mod message;
mod polling;
mod repeats;
mod report;
mod same_value;
mod segments;
mod shadow;
mod vector_clock;
mod word_state;

use super::findings::Findings;
use crate::diagnostic::Span;
use crate::event::{Access, AccessKind, Boundary, SegmentStart, Space, WarpContext};
use crate::isa::{Inst, MbarrierOp, Scope};
use crate::lanes::lanes_where;
use crate::machine::memory::Global;
use crate::machine::prepared_kernel::PreparedKernel;
use asynchronous::Operations;
use cas_loop::CasRead;
use check::Check;
use cluster::ClusterAccesses;
use fast_path::PatternWords;
use happens_before::HappensBefore;
use rustc_hash::FxHashMap;
use same_value::SameValueWrites;
use segments::{Relation, Segments};
use shadow::{BLOCKS, Kind, MAX_SITE, PAGE, Shadow, Word};
use word_state::Conflict;

/// Detects races in global and shared memory.
#[derive(Debug)]
pub(crate) struct RaceDetector<'a> {
    prepared: &'a PreparedKernel<'a>,
    global: Vec<Shadow>,
    /// Which of them the kernel may write: the others need no shadow.
    written: Vec<bool>,
    /// By slot: each resident block has one.
    shared: Vec<Shadow>,
    segments: Segments,
    /// For each instruction the index of its source position in `positions`.
    sites: Vec<u16>,
    /// For each instruction, what is done with the value that it reads.
    reads: Vec<CasRead>,
    /// For each instruction, whether it is a `volatile` read whose value steers nothing.
    only_computes: Vec<bool>,
    /// For each instruction the words of its last access pattern.
    words: Vec<PatternWords>,
    positions: Vec<AccessSite>,
    happens_before: HappensBefore,
    same_values: SameValueWrites,
    operations: Operations,
    /// Whether blocks access each other's shared memory.
    clusters: bool,
    between_blocks: ClusterAccesses,
}

/// A source position that accesses memory.
#[derive(Debug, Clone, Copy)]
struct AccessSite {
    span: Span,
    kind: AccessKind,
    scope: Scope,
    volatile: bool,
    /// It reads a value that an `atomicCAS` compares, and that is used otherwise as well.
    doubtful: bool,
    /// It is a `volatile` read that only polls.
    polls: bool,
}

impl<'a> RaceDetector<'a> {
    pub(crate) fn new(prepared: &'a PreparedKernel<'a>) -> RaceDetector<'a> {
        let mut positions = Vec::new();
        let mut known = FxHashMap::default();
        let clusters = prepared.cluster.blocks > 1;
        let mut fences = clusters;
        let mut only_computes = vec![false; prepared.kernel.code.len()];
        let mut sites = Vec::with_capacity(prepared.kernel.code.len());
        let reads = cas_loop::reads(prepared.kernel);
        let code = prepared.kernel.code.iter().zip(&prepared.kernel.spans).zip(&reads);
        for ((inst, &span), read) in code {
            let mut scope = Scope::Device;
            let (kind, volatile) = match inst {
                Inst::Load { volatile, .. } => (AccessKind::Load, *volatile),
                Inst::Store { volatile, .. } => (AccessKind::Store, *volatile),
                Inst::Atomic { scope: of, .. } => {
                    scope = *of;
                    (AccessKind::Atomic, false)
                }
                Inst::Mbarrier { op, .. } => {
                    fences = true;
                    let made = matches!(op, MbarrierOp::Init | MbarrierOp::Inval);
                    (if made { AccessKind::Store } else { AccessKind::Atomic }, false)
                }
                Inst::MbarrierTest { .. } => (AccessKind::Load, true),
                _ => {
                    fences |= matches!(
                        inst,
                        Inst::Fence { .. }
                            | Inst::NamedBarrier { .. }
                            | Inst::ClusterBarrier { .. }
                    );
                    sites.push(0);
                    continue;
                }
            };
            let site = *known.entry((span, kind.word())).or_insert_with(|| {
                positions.push(AccessSite {
                    span,
                    kind,
                    scope,
                    volatile,
                    doubtful: true,
                    polls: true,
                });
                positions.len() - 1
            });
            positions[site].doubtful &= *read == CasRead::Doubtful;
            positions[site].polls &= polling::asks(prepared.kernel, sites.len());
            only_computes[sites.len()] = polling::only_computes(prepared.kernel, sites.len());
            sites.push(site.min(usize::from(MAX_SITE)) as u16);
        }
        let may = |(object, may): (&&Global, &bool)| *may && !object.constant;
        RaceDetector {
            prepared,
            written: prepared.objects.iter().zip(&prepared.written).map(may).collect(),
            global: prepared.objects.iter().map(|_| Shadow::default()).collect(),
            shared: Vec::new(),
            segments: Segments::new(fences),
            words: vec![PatternWords::default(); sites.len()],
            sites,
            reads,
            only_computes,
            positions,
            happens_before: HappensBefore::new(fences, prepared.threads),
            same_values: SameValueWrites::default(),
            operations: Operations::new(prepared.kernel),
            clusters,
            between_blocks: ClusterAccesses::default(),
        }
    }
}

impl RaceDetector<'_> {
    /// An object that is never written has no races; but fences order every access.
    pub(crate) fn observes(&self, space: Space, object: u32) -> bool {
        match space {
            Space::Global => self.written[object as usize] || self.happens_before.fences(),
            Space::Shared => true,
            // Accumulators of products are there.
            Space::Local => self.operations.registers.needed(),
        }
    }

    /// The block whose shared memory is accessed, and its slot; or the number of the object.
    fn holder(&self, context: &WarpContext<'_>, access: &Access<'_>) -> (u32, usize) {
        match access.space {
            Space::Global => (access.object, access.object as usize),
            _ => self.prepared.cluster.holder((context.block, context.slot), access.object),
        }
    }

    pub(crate) fn block_started(&mut self, slot: usize, alone: bool) {
        self.operations_of_new_block(slot, alone, self.clusters);
        if self.clusters
            && let Some(shadow) = self.shared.get_mut(slot)
        {
            *shadow = Shadow::default();
        }
        if alone {
            self.no_cluster_is_left();
            self.segments.forget();
            self.happens_before.alone();
        }
    }

    pub(crate) fn barrier_opened(&mut self, block: u32) {
        self.happens_before.barrier(block);
        self.operations_at_barrier(block);
    }

    pub(crate) fn segment_started(&mut self, segment: u32, s: &SegmentStart<'_>) {
        let parted = matches!(s.boundary, Boundary::Fence | Boundary::Warp { whole: false });
        self.segments.add(segment, s.block, s.phase, s.warp, parted);
        self.happens_before.begin(segment, (s.block, s.warp), s.lanes, s.boundary, s.before);
    }

    pub(crate) fn allocated(&mut self, object: u32, words: std::ops::Range<u32>) {
        for at in words.map(|at| at as usize) {
            self.global[object as usize].page(at / PAGE)[at % PAGE] = Word::default();
        }
    }

    pub(crate) fn fence(&mut self, context: &WarpContext<'_>, lanes: u32, scope: Scope) {
        self.happens_before.fence(context, lanes, scope);
    }

    /// An access to global or shared memory: orders what it orders, and reports what it races with.
    pub(crate) fn access(
        &mut self,
        context: &WarpContext<'_>,
        access: &Access<'_>,
        findings: &mut Findings,
    ) {
        if access.space == Space::Local {
            if self.operations.registers.needed() {
                self.local_access(context, access, findings);
            }
            return;
        }
        if access.space == Space::Shared && access.object != 0 {
            let (owner, _) = self.holder(context, access);
            let atomic =
                matches!(self.prepared.kernel.code[access.pc as usize], Inst::Atomic { .. });
            let atomics = atomic.then_some(access.offsets);
            self.reaches(context, (access.pc, access.lanes, owner), atomics, findings);
        } else if self.clusters && access.space == Space::Shared {
            self.reads_results(context, access);
        }
        self.synchronise(context, access);
        self.access_after_operations(context, access, findings);
        if self.uses_barriers(access) && !self.barriers_used(context, access, findings) {
            // The race with the `init` is the same defect.
            return;
        }
        let how =
            (self.kind(access), self.plain_lanes(context, access), self.sites[access.pc as usize]);
        let shadow = match access.space {
            Space::Global if !self.written[access.object as usize] => return,
            Space::Global => &mut self.global[access.object as usize],
            _ => {
                let (_, slot) = self.holder(context, access);
                while self.shared.len() <= slot {
                    self.shared.push(Shadow::default());
                }
                &mut self.shared[slot]
            }
        };
        let mut check = Check::new((context, access), &self.segments, how, self.clusters);
        if !check.fits() {
            return;
        }
        check.run(shadow, &mut self.words[access.pc as usize]);
        if !check.conflicts.is_empty() {
            let conflicts = check.conflicts;
            self.report_all(context, access, findings, conflicts);
        }
    }

    /// What the access orders by itself: locks and flags.
    fn synchronise(&mut self, context: &WarpContext<'_>, access: &Access<'_>) {
        let atomic = access.kind.is_atomic();
        if access.space == Space::Global && !atomic {
            self.happens_before.touch(context, access.lanes);
        }
        if (access.volatile && !self.only_computes[access.pc as usize]) || atomic {
            let shared = access.space == Space::Shared;
            self.happens_before.strong(self.prepared, context, access, shared);
        }
    }

    /// Whether it is an operation on mbarriers other than their making.
    fn uses_barriers(&self, access: &Access<'_>) -> bool {
        access.space == Space::Shared
            && match self.prepared.kernel.code[access.pc as usize] {
                Inst::Mbarrier { op, .. } => op != MbarrierOp::Init,
                Inst::MbarrierTest { .. } => true,
                _ => false,
            }
    }

    fn kind(&self, access: &Access<'_>) -> Kind {
        match (access.kind, access.volatile, access.scope) {
            (AccessKind::Atomic | AccessKind::Reduction, _, Scope::Block) => Kind::AtomicBlock,
            (AccessKind::Atomic | AccessKind::Reduction, _, Scope::Device) => Kind::Atomic,
            (_, true, _) => Kind::Volatile,
            // Equivalent to a read by the compare-and-swap itself.
            _ if self.reads[access.pc as usize] == CasRead::Confirmed => Kind::Volatile,
            _ => Kind::Plain,
        }
    }

    /// Lanes whose volatile write releases nothing: it counts as a plain write.
    fn plain_lanes(&self, context: &WarpContext<'_>, access: &Access<'_>) -> u32 {
        if !access.volatile || access.kind != AccessKind::Store {
            return 0;
        }
        let thread = |lane: usize| (context.block, context.warp * 32 + lane as u32);
        lanes_where(access.lanes, |lane| !self.happens_before.may_release(thread(lane)))
    }

    /// Whether fences, flags, locks or `__syncwarp` of some lanes order the earlier access before
    /// this one.
    fn ordered(&self, context: &WarpContext<'_>, me: u32, c: Conflict) -> bool {
        if !self.happens_before.active() {
            return false;
        }
        let (then, segment) = (c.then, c.then.segment());
        let block = self.segments.block(segment);
        let Some(phase) = self.segments.phase(segment) else { return false };
        let order = &self.happens_before;
        let holds = |thread| order.holds(context, me, (block, thread), segment, phase);
        let earlier = matches!(c.relation, Relation::WarpEarlier | Relation::BlockEarlier);
        // Of a third thread nothing is known but that it exists.
        (earlier || holds(then.thread()))
            && (then.state() == 0 || then.state() >= BLOCKS || holds(then.other()))
    }
}
