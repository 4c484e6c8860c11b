//! How a counter of the simulator stands to the hardware's own.
//!
//! A profiler's metric is named only where the profiler counted the same value in the recorded run.
//! Every other value is the simulator's: it counts the source as it is written, and a device runs
//! what the compiler made of it.

use super::{Facts, Kernel};
use kernel_file::verdict::Counter;
use verify::Point;

/// What a recording says of one counter.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Counted<'a> {
    /// The profiler counted the same.
    Same,
    /// The profiler counted another value, for this reason.
    Other { gpu: &'a str, value: f64, why: &'a str },
    /// No profile of this source at this size is recorded, or the metric is undefined in it.
    NotRecorded,
    /// No metric of the profiler stands for it.
    NoMetric,
}

/// The metrics of memory traffic, which the source alone determines.
const MEMORY: &str = "l1tex__";

/// Why instructions and branches differ.
const COMPILED: &str = "the compiler makes other instructions";

/// Whether the counter counts the source as written: instructions and branches do.
pub(crate) fn is_as_written(counter: &Counter) -> bool {
    !counter.metric.is_empty() && !counter.metric.starts_with(MEMORY)
}

impl Facts {
    /// What is recorded of `counter` of `kernel`, at a point and at the size that was counted.
    pub(crate) fn counted<'a>(
        &'a self,
        kernel: &'a Kernel,
        point: &Point,
        counter: &Counter,
    ) -> Counted<'a> {
        if counter.metric.is_empty() {
            return Counted::NoMetric;
        }
        let recorded = self.measured(kernel).filter(|measured| !measured.stale).find_map(|m| {
            let profile = m.result.profile(point, false)?;
            let is_this = Some(profile.n) == kernel.counted_size();
            let value = profile.metric(&counter.metric).filter(|_| is_this)?;
            Some((m.recording.gpu(), value))
        });
        let Some((gpu, value)) = recorded else { return Counted::NotRecorded };
        if is_as_written(counter) {
            return Counted::Other { gpu, value, why: COMPILED };
        }
        let ours = counter.value.unwrap_or(0.0);
        // Ratios are rounded by the profiler.
        if (ours - value).abs() <= 1e-5 * value.abs() {
            return Counted::Same;
        }
        Counted::Other { gpu, value, why: reason(kernel, counter) }
    }
}

/// The reason that the kernel's file gives. A ratio has that of the counters which it divides.
fn reason<'a>(kernel: &'a Kernel, counter: &Counter) -> &'a str {
    let word = counter.word();
    let divided = match word.as_str() {
        "sectors_per_load" => "global_load_sectors",
        "sectors_per_store" => "global_store_sectors",
        own => own,
    };
    let differs = &kernel.file.directives.differs;
    let found = differs.iter().find(|d| d.counters.iter().any(|c| *c == divided));
    found.map_or("its file gives no reason", |d| &d.reason)
}
