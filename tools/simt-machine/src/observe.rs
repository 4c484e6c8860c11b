//! Observers: what the events of a launch mean.
//!
//! | part | |
//! |---|---|
//! | [`counters`] | what a profiler counts: coalescing, bank conflicts, divergence |
//! | [`diagnoses`] | what a sanitizer reports, one defect per file |
//! | [`races`] | data races: shadow memory, happens-before |
//! | [`footprint`] | which bytes of global memory a launch read and wrote |
//! | [`history`] | what one block or warp did, step by step |
//! | `last_writer` | who wrote an element last |
//! | [`findings`] | the deduplicated list of what was found, and its text |

mod counters;
mod diagnoses;
mod findings;
mod footprint;
mod history;
mod last_writer;
mod races;
mod value;

pub(crate) use counters::Profiler;
pub use diagnoses::bounds;
pub(crate) use diagnoses::{Faults, Sanitizer};
pub use findings::class::{Class, Code};
pub(crate) use findings::{Findings, MAX as MAX_FINDINGS};
pub(crate) use footprint::FootprintObserver;
pub use footprint::{Accessed, ByteSet, Footprint, Noted};
pub(crate) use history::Recorder;
pub use history::trace::{ArraySpace, Follow, Served, Step, Touched, Trace, Work};
pub use history::{
    ArrayId, ArrayInfo, CountedCopy, EndedWait, Group, History, Moment, PhaseEnd, Phases, Place,
    Record, Shown, Snapshot, Tile, Waiting, WarpState,
};
pub(crate) use last_writer::LastWriter;
pub use last_writer::Watch;

use crate::diagnostic::{Severity, Span};

/// One side of a finding: who did what, where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// Its source position.
    pub span: Span,
    /// `read`, `write`, `atomic`, `barrier`, ...
    pub what: &'static str,
    /// Block index.
    pub block: [u32; 3],
    /// Thread index.
    pub thread: [u32; 3],
    /// The value read or written, if it is known, as its type prints.
    pub value: Option<String>,
}

/// A defect that was found while running.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Which defect it is.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence without a full stop that names the object and the index.
    pub message: String,
    /// Where it was noticed.
    pub first: Site,
    /// The access that it conflicts with, if there are two.
    pub second: Option<Site>,
    /// How often this pair of lines was found.
    pub count: u64,
    /// What to do about it.
    pub help: Option<String>,
}

/// What Nsight Compute would have counted: totals over the launch.
///
/// `requests` are warp-level instructions that reached memory, `sectors` are 32 bytes each,
/// `wavefronts` are passes over the banks of shared memory, `conflicts` are passes beyond the ideal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "Counters::table gives each its name and its meaning")]
pub struct Counters {
    pub instructions: u64,
    pub thread_instructions: u64,
    pub branches: u64,
    pub divergent_branches: u64,
    pub global_load_requests: u64,
    pub global_load_sectors: u64,
    pub global_store_requests: u64,
    pub global_store_sectors: u64,
    pub global_reduction_requests: u64,
    pub global_reduction_sectors: u64,
    pub global_atomic_requests: u64,
    pub global_atomic_sectors: u64,
    pub shared_load_instructions: u64,
    pub shared_load_wavefronts: u64,
    pub shared_load_conflicts: u64,
    pub shared_store_instructions: u64,
    pub shared_store_wavefronts: u64,
    pub shared_store_conflicts: u64,
    pub shared_atomic_instructions: u64,
    pub local_requests: u64,
    pub barriers: u64,
    pub shuffles: u64,
}

/// One row of [`Counters::table`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CounterRow {
    /// A short name in plain words, as the book's tables print it.
    pub name: &'static str,
    /// Nsight Compute's metric; `""` if it has none.
    pub metric: &'static str,
    /// What it counts, in one sentence.
    pub meaning: &'static str,
    /// The value; ratios and percentages are derived from totals. `None` if it is undefined (a percentage
    /// of no branches).
    pub value: Option<f64>,
    /// `""`, `"%"`, `"sectors/request"`, ...
    pub unit: &'static str,
}

/// Counters of one source line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineCounters {
    /// The file's number; 0 is the translation unit.
    pub file: u32,
    /// Its line, from 1.
    pub line: u32,
    /// What its instructions did.
    pub counters: Counters,
}
