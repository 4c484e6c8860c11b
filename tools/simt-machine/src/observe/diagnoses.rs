//! The diagnoses, one per file: which events are a defect, and the words for it.
//!
//! [`Faults`] are what hardware or the runtime would report as well, and are always observed.
//! [`Sanitizer`] adds what compute-sanitizer looks for.

mod arithmetic;
pub mod bounds;
mod heap;
mod mbarriers;
mod synchronisation;
mod tensor_maps;
mod traps;
mod unassigned_variables;
pub(super) mod uninitialised_memory;

use super::findings::Findings;
use super::races::RaceDetector;
use crate::event::{
    Access, Awaited, BarrierId, BarrierMisuse, BlockSplits, Deadlock, Interests, Issue, LanesAt,
    MapMisuse, Observer, Operand, RefusedAccess, SegmentStart, Space, SyncMismatch, WarpContext,
};
use crate::isa::{FencedMemory, GroupKind, Inst, Scope};
use crate::machine::prepared_kernel::PreparedKernel;

/// Refused accesses, failed frees, traps and deadlocks.
#[derive(Debug)]
pub(crate) struct Faults<'a> {
    prepared: &'a PreparedKernel<'a>,
    findings: Findings,
}

impl<'a> Faults<'a> {
    pub(crate) fn new(prepared: &'a PreparedKernel<'a>) -> Faults<'a> {
        Faults { prepared, findings: Findings::default() }
    }

    /// What was found.
    pub(crate) fn into_findings(self) -> Findings {
        self.findings
    }
}

impl Observer for Faults<'_> {
    fn interests(&self) -> Interests {
        Interests::default()
    }

    fn range_started(&mut self, first_block: u32) {
        self.findings.start_range(first_block);
    }

    fn access_refused(&mut self, refused: &RefusedAccess<'_>) {
        bounds::access_refused(self.prepared, &mut self.findings, refused);
    }

    fn constant_written(&mut self, at: LanesAt, object: u32) {
        bounds::constant_written(self.prepared, &mut self.findings, at, object);
    }

    fn free_failed(&mut self, at: LanesAt, pointer: u64) {
        heap::free_failed(self.prepared, &mut self.findings, at, pointer);
    }

    fn barrier_misused(&mut self, at: LanesAt, offset: u32, misuse: BarrierMisuse) {
        mbarriers::misused(self.prepared, &mut self.findings, at, offset, misuse);
    }

    fn map_misused(&mut self, at: LanesAt, misuse: MapMisuse) {
        tensor_maps::misused(self.prepared, &mut self.findings, at, misuse);
    }

    fn trapped(&mut self, at: LanesAt, trap: u16) {
        traps::trapped(self.prepared, &mut self.findings, at, trap);
    }

    fn deadlocked(&mut self, deadlock: &Deadlock<'_>) {
        synchronisation::deadlocked(self.prepared, &mut self.findings, deadlock);
    }

    fn merge(&mut self, other: Self) -> bool {
        self.findings.merge(other.findings)
    }
}

/// Everything that can be wrong: [`Faults`], races, barriers, masks, undefined values and arithmetic.
#[derive(Debug)]
pub(crate) struct Sanitizer<'a> {
    faults: Faults<'a>,
    races: RaceDetector<'a>,
}

impl<'a> Sanitizer<'a> {
    pub(crate) fn new(prepared: &'a PreparedKernel<'a>) -> Sanitizer<'a> {
        Sanitizer { faults: Faults::new(prepared), races: RaceDetector::new(prepared) }
    }

    /// What was found.
    pub(crate) fn into_findings(self) -> Findings {
        self.faults.findings
    }
}

impl Observer for Sanitizer<'_> {
    fn interests(&self) -> Interests {
        Interests { global: true, on_chip: true, checks: true, ..Interests::default() }
    }

    fn observes(&self, space: Space, object: u32) -> bool {
        self.races.observes(space, object)
    }

    fn range_started(&mut self, first_block: u32) {
        self.faults.range_started(first_block);
    }

    fn block_started(&mut self, _block: u32, slot: usize, alone: bool) {
        self.races.block_started(slot, alone);
    }

    fn access(&mut self, context: &WarpContext<'_>, access: &Access<'_>) {
        let Faults { prepared, findings } = &mut self.faults;
        if access.unwritten != 0 {
            uninitialised_memory::unwritten_read(prepared, findings, context, access);
        }
        self.races.access(context, access, findings);
    }

    fn access_refused(&mut self, refused: &RefusedAccess<'_>) {
        self.faults.access_refused(refused);
    }

    fn constant_written(&mut self, at: LanesAt, object: u32) {
        self.faults.constant_written(at, object);
    }

    fn allocated(&mut self, object: u32, from: u32, to: u32) {
        self.races.allocated(object, from..to);
    }

    fn free_failed(&mut self, at: LanesAt, pointer: u64) {
        self.faults.free_failed(at, pointer);
    }

    fn undefined_read(&mut self, at: LanesAt, variable: u16) {
        let Faults { prepared, findings } = &mut self.faults;
        unassigned_variables::undefined_read(prepared, findings, at, variable);
    }

    fn divide_or_shift(&mut self, at: LanesAt, inst: &Inst, right: Operand<'_>) {
        let Faults { prepared, findings } = &mut self.faults;
        arithmetic::divide_or_shift(prepared, findings, at, inst, right);
    }

    fn trapped(&mut self, at: LanesAt, trap: u16) {
        self.faults.trapped(at, trap);
    }

    fn segment_started(&mut self, segment: u32, start: &SegmentStart<'_>) {
        self.races.segment_started(segment, start);
    }

    fn fence(&mut self, context: &WarpContext<'_>, lanes: u32, scope: Scope) {
        self.races.fence(context, lanes, scope);
    }

    fn sync_mismatch(&mut self, at: LanesAt, mismatch: SyncMismatch) {
        let Faults { prepared, findings } = &mut self.faults;
        synchronisation::sync_mismatch(prepared, findings, at, mismatch);
    }

    fn barrier_complete(&mut self, waiting: &BlockSplits<'_>) {
        let Faults { prepared, findings } = &mut self.faults;
        synchronisation::barrier_complete(prepared, findings, waiting);
    }

    fn barrier_opened(&mut self, block: u32) {
        self.races.barrier_opened(block);
    }

    fn block_ended(&mut self, block: u32) {
        self.races.block_ended(block, &mut self.faults.findings);
        self.faults.findings.settle(Some(block));
    }

    fn cluster_barrier(&mut self, context: &WarpContext<'_>, lanes: u32, wait: bool) {
        self.races.cluster_barrier(context, lanes, wait);
    }

    fn issued(&mut self, context: &WarpContext<'_>, issue: &Issue<'_>) {
        self.races.issued(context, issue, &mut self.faults.findings);
    }

    fn completed(&mut self, id: u32, phase: u32) {
        self.races.completed(id, phase);
    }

    fn awaited(&mut self, context: &WarpContext<'_>, lanes: u32, awaited: Awaited) {
        self.races.awaited(context, lanes, awaited);
    }

    fn arrived(
        &mut self,
        context: &WarpContext<'_>,
        lanes: u32,
        barrier: BarrierId,
        order: Option<Scope>,
    ) {
        self.races.arrived(context, lanes, barrier, order);
    }

    fn arrives_after(
        &mut self,
        context: &WarpContext<'_>,
        lanes: u32,
        barrier: BarrierId,
        kind: GroupKind,
        before: u32,
    ) {
        self.races.arrives_after(context, lanes, barrier, (kind, before));
    }

    fn phase_ended(&mut self, barrier: BarrierId, _phase: u32) {
        self.races.phase_ended(barrier);
    }

    fn proxy_fence(&mut self, context: &WarpContext<'_>, lanes: u32, memory: FencedMemory) {
        self.races.proxy_fence(context, lanes, memory);
    }

    fn product_fence(&mut self, context: &WarpContext<'_>, lanes: u32) {
        self.races.product_fence(context, lanes);
    }

    fn barrier_init_fence(&mut self, context: &WarpContext<'_>, lanes: u32) {
        self.races.barrier_init_fence(context, lanes);
    }

    fn barrier_made(&mut self, context: &WarpContext<'_>, at: LanesAt, barrier: BarrierId) {
        self.races.barrier_made(context, at, barrier);
    }

    fn map_misused(&mut self, at: LanesAt, misuse: MapMisuse) {
        self.faults.map_misused(at, misuse);
    }

    fn barrier_misused(&mut self, at: LanesAt, offset: u32, misuse: BarrierMisuse) {
        self.faults.barrier_misused(at, offset, misuse);
    }

    fn deadlocked(&mut self, deadlock: &Deadlock<'_>) {
        self.faults.deadlocked(deadlock);
    }

    fn merge(&mut self, other: Self) -> bool {
        self.faults.merge(other.faults)
    }
}
