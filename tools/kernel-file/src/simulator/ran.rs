//! The result of running a kernel file at one size.

use crate::plan::{Plan, PlannedArray};
use crate::verdict::{Problem, SizeRun};
use simt::{Buffer, Counters, LineCounters, Memory, Report};
use std::collections::BTreeMap;

/// The result of one size.
#[derive(Debug)]
pub struct Ran {
    /// Its status and problems. [`SizeRun::outputs`] are left empty: the caller hashes them.
    pub run: SizeRun,
    /// Warnings, which do not fail the file.
    pub warnings: Vec<Problem>,
    /// Whether it would not end at other sizes either.
    pub endless: bool,
    /// One report per launch that started, in order.
    pub reports: Vec<Report>,
    /// The counters of all launches together.
    pub counters: Counters,
    pub(super) plan: Option<Plan>,
    pub(super) buffers: Vec<Buffer>,
    pub(super) memory: Memory,
}

impl Ran {
    /// A result without any launch.
    pub(super) fn refused(run: SizeRun) -> Ran {
        Ran {
            run,
            warnings: Vec::new(),
            endless: false,
            reports: Vec::new(),
            counters: Counters::default(),
            plan: None,
            buffers: Vec::new(),
            memory: Memory::new(),
        }
    }

    /// The arrays, if anything could start; [`Ran::bytes`] has their bytes.
    pub fn arrays(&self) -> impl Iterator<Item = (&PlannedArray, Buffer)> {
        let planned = self.plan.iter().flat_map(|plan| &plan.arrays);
        planned.zip(self.buffers.iter().copied())
    }

    /// An array's bytes, as the launches left them.
    pub fn bytes(&self, array: Buffer) -> Vec<u8> {
        self.memory.download(array)
    }

    /// Counters by source line, all launches together.
    pub fn lines(&self) -> Vec<LineCounters> {
        lines(self.reports.iter())
    }
}

/// Counters by source line, all of these launches together.
pub fn lines<'a>(reports: impl Iterator<Item = &'a Report>) -> Vec<LineCounters> {
    let mut all: BTreeMap<u32, Counters> = BTreeMap::new();
    for line in reports.flat_map(|report| &report.lines) {
        add(all.entry(line.line).or_default(), &line.counters);
    }
    all.into_iter().map(|(line, counters)| LineCounters { line, counters }).collect()
}

/// Adds the counters of another launch. It lists every field, so a counter that is new in the
/// simulator cannot be forgotten here.
pub fn add(total: &mut Counters, more: &Counters) {
    *total = Counters {
        instructions: total.instructions + more.instructions,
        thread_instructions: total.thread_instructions + more.thread_instructions,
        branches: total.branches + more.branches,
        divergent_branches: total.divergent_branches + more.divergent_branches,
        global_load_requests: total.global_load_requests + more.global_load_requests,
        global_load_sectors: total.global_load_sectors + more.global_load_sectors,
        global_store_requests: total.global_store_requests + more.global_store_requests,
        global_store_sectors: total.global_store_sectors + more.global_store_sectors,
        global_reduction_requests: total.global_reduction_requests + more.global_reduction_requests,
        global_reduction_sectors: total.global_reduction_sectors + more.global_reduction_sectors,
        global_atomic_requests: total.global_atomic_requests + more.global_atomic_requests,
        global_atomic_sectors: total.global_atomic_sectors + more.global_atomic_sectors,
        shared_load_instructions: total.shared_load_instructions + more.shared_load_instructions,
        shared_load_wavefronts: total.shared_load_wavefronts + more.shared_load_wavefronts,
        shared_load_conflicts: total.shared_load_conflicts + more.shared_load_conflicts,
        shared_store_instructions: total.shared_store_instructions + more.shared_store_instructions,
        shared_store_wavefronts: total.shared_store_wavefronts + more.shared_store_wavefronts,
        shared_store_conflicts: total.shared_store_conflicts + more.shared_store_conflicts,
        shared_atomic_instructions: total.shared_atomic_instructions
            + more.shared_atomic_instructions,
        local_requests: total.local_requests + more.local_requests,
        barriers: total.barriers + more.barriers,
        shuffles: total.shuffles + more.shuffles,
    };
}
