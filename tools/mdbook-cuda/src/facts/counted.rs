//! How a counter of the simulator stands to the hardware's own.
//!
//! A profiler's metric is named only where the profiler counted the same value in the recorded run.
//! Every other value is the simulator's: it counts the source as it is written, and a device runs
//! what the compiler made of it.

use super::{Facts, Kernel};
use kernel_file::verdict::Counter;
use verify::Point;
use verify::results::Profile;

/// What a recording says of one counter.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Counted<'a> {
    /// The profiler counted the same.
    Same,
    /// The profiler counted another value, for the reason that the kernel's file gives. Instructions
    /// and branches need none: the compiler makes others.
    Other { gpu: &'a str, value: f64, why: Option<&'a str> },
    /// No profile of this source at this size is recorded, or the metric is undefined in it.
    NotRecorded,
    /// No metric of the profiler stands for it.
    NoMetric,
}

/// The metrics of memory traffic, which the source alone determines.
const MEMORY: &str = "l1tex__";

/// Whether the counter counts the source as written: instructions, branches and local arrays do.
pub(crate) fn is_as_written(counter: &Counter) -> bool {
    let of_profiler = !counter.metric.is_empty() && !counter.metric.starts_with(MEMORY);
    // Compiled code keeps most local arrays in registers.
    of_profiler || counter.name == "local requests"
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
            let value = counted_by(profile, counter).filter(|_| is_this)?;
            Some((m.recording.gpu(), value))
        });
        let Some((gpu, value)) = recorded else { return Counted::NotRecorded };
        if is_as_written(counter) {
            return Counted::Other { gpu, value, why: None };
        }
        let ours = counter.value.unwrap_or(0.0);
        if (ours - value).abs() <= 1e-5 * value.abs() {
            return Counted::Same;
        }
        Counted::Other { gpu, value, why: reason(kernel, counter) }
    }
}

/// What the profiler counted. Its own ratios are rounded, and several launches have none in common: the
/// ratio of its counts is neither.
fn counted_by(profile: &Profile, counter: &Counter) -> Option<f64> {
    let value = profile.metric(&counter.metric)?;
    let access = match counter.word().as_str() {
        "sectors_per_load" => "ld",
        "sectors_per_store" => "st",
        _ => return Some(value),
    };
    let count = |what: &str| {
        profile.metric(&format!("l1tex__t_{what}_pipe_lsu_mem_global_op_{access}.sum"))
    };
    match (count("sectors"), count("requests")) {
        (Some(sectors), Some(requests)) if requests > 0.0 => Some(sectors / requests),
        _ => Some(value),
    }
}

/// The reason that the kernel's file gives. A ratio has that of the counters which it divides.
fn reason<'a>(kernel: &'a Kernel, counter: &Counter) -> Option<&'a str> {
    let word = counter.word();
    let divided = match word.as_str() {
        "sectors_per_load" => "global_load_sectors",
        "sectors_per_store" => "global_store_sectors",
        own => own,
    };
    let differs = &kernel.file.directives.differs;
    let found = differs.iter().find(|d| d.counters.iter().any(|c| *c == divided));
    found.map(|d| d.reason.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_that_of_the_counts() {
        const RATIO: &str = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio";
        let counter = Counter {
            name: "sectors per store".into(),
            metric: RATIO.into(),
            value: Some(1.0),
            meaning: String::new(),
            unit: String::new(),
        };
        let profile = |counts: [f64; 2]| Profile {
            metrics: [
                (RATIO.to_owned(), 0.0),
                ("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum".to_owned(), counts[0]),
                ("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum".to_owned(), counts[1]),
            ]
            .into(),
            point: Point::default(),
            n: 64,
            unoptimised: false,
        };
        assert_eq!(counted_by(&profile([15.0, 2.0]), &counter), Some(7.5));
        assert_eq!(counted_by(&profile([0.0, 0.0]), &counter), None, "nothing to divide by");
    }
}
