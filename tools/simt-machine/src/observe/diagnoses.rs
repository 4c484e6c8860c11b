//! The diagnoses, one per file: which events are a defect, and the words for it.
//!
//! [`Faults`] are what hardware or the runtime would report as well, and are always observed.
//! [`Sanitizer`] adds what compute-sanitizer looks for.

mod arithmetic;
mod barriers;
pub mod bounds;
mod definedness;
mod heap;
mod initialisation;
mod traps;

use super::findings::Findings;
use super::races::RaceDetector;
use crate::event::{
    Access, BlockSplits, Deadlock, Interests, LanesAt, Observer, Operand, RefusedAccess,
    SegmentStart, Space, SyncMismatch, WarpContext,
};
use crate::isa::{Inst, Scope};
use crate::machine::program::Program;

/// Refused accesses, failed frees, traps and deadlocks.
#[derive(Debug)]
pub(crate) struct Faults<'a> {
    program: &'a Program<'a>,
    findings: Findings,
}

impl<'a> Faults<'a> {
    pub(crate) fn new(program: &'a Program<'a>) -> Faults<'a> {
        Faults { program, findings: Findings::default() }
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
        bounds::access_refused(self.program, &mut self.findings, refused);
    }

    fn constant_written(&mut self, at: LanesAt, object: u32) {
        bounds::constant_written(self.program, &mut self.findings, at, object);
    }

    fn free_failed(&mut self, at: LanesAt, pointer: u64) {
        heap::free_failed(self.program, &mut self.findings, at, pointer);
    }

    fn trapped(&mut self, at: LanesAt, trap: u16) {
        traps::trapped(self.program, &mut self.findings, at, trap);
    }

    fn deadlocked(&mut self, deadlock: &Deadlock<'_>) {
        barriers::deadlocked(self.program, &mut self.findings, deadlock);
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
    pub(crate) fn new(program: &'a Program<'a>) -> Sanitizer<'a> {
        Sanitizer { faults: Faults::new(program), races: RaceDetector::new(program) }
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

    fn block_started(&mut self, _block: u32, alone: bool) {
        self.races.block_started(alone);
    }

    fn access(&mut self, context: &WarpContext<'_>, access: &Access<'_>) {
        let Faults { program, findings } = &mut self.faults;
        if access.unwritten != 0 {
            initialisation::unwritten_read(program, findings, context, access);
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
        let Faults { program, findings } = &mut self.faults;
        definedness::undefined_read(program, findings, at, variable);
    }

    fn divide_or_shift(&mut self, at: LanesAt, inst: &Inst, right: Operand<'_>) {
        let Faults { program, findings } = &mut self.faults;
        arithmetic::divide_or_shift(program, findings, at, inst, right);
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
        let Faults { program, findings } = &mut self.faults;
        barriers::sync_mismatch(program, findings, at, mismatch);
    }

    fn barrier_complete(&mut self, waiting: &BlockSplits<'_>) {
        let Faults { program, findings } = &mut self.faults;
        barriers::barrier_complete(program, findings, waiting);
    }

    fn barrier_opened(&mut self, block: u32) {
        self.races.barrier_opened(block);
    }

    fn deadlocked(&mut self, deadlock: &Deadlock<'_>) {
        self.faults.deadlocked(deadlock);
    }

    fn merge(&mut self, other: Self) -> bool {
        self.faults.merge(other.faults)
    }
}
