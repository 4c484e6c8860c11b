//! The result of running a kernel file at one size.

use super::program::upload_array;
use crate::plan::{Plan, PlannedArray};
use crate::verdict::{Problem, SizeRun, Suppressed};
use simt::{Buffer, Counters, LineCounters, Memory, Report};
use std::collections::BTreeMap;

/// The result of one size.
#[derive(Debug)]
pub struct Ran {
    /// Its status and problems. [`SizeRun::outputs`] are left empty: the caller hashes them.
    pub run: SizeRun,
    /// Warnings, which do not fail the file.
    pub warnings: Vec<Problem>,
    /// What is no defect and worth a look: two threads that write one value.
    pub notes: Vec<Problem>,
    /// What the source says is expected.
    pub suppressed: Vec<Suppressed>,
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
            notes: Vec::new(),
            suppressed: Vec::new(),
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

    /// Whether an array is as it was before the launches.
    pub(crate) fn is_untouched(&self, array: &PlannedArray, at: Buffer) -> bool {
        let mut fresh = Memory::new();
        let before = upload_array(array, &mut fresh);
        self.memory.download(at) == fresh.download(before)
    }

    /// Counters by source line, all launches together.
    pub fn lines(&self) -> Vec<LineCounters> {
        lines(self.reports.iter())
    }
}

/// Counters by line of the translation unit, all of these launches together.
pub fn lines<'a>(reports: impl Iterator<Item = &'a Report>) -> Vec<LineCounters> {
    let mut all: BTreeMap<u32, Counters> = BTreeMap::new();
    let own = reports.flat_map(|report| &report.lines).filter(|line| line.file == 0);
    for line in own {
        *all.entry(line.line).or_default() += &line.counters;
    }
    all.into_iter().map(|(line, counters)| LineCounters { file: 0, line, counters }).collect()
}
