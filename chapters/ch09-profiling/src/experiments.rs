//! What the chapter measures on the host's side.

mod cpu_prefetch;

use verify::experiment::Experiment;

/// This chapter's host experiments, in reading order.
pub const ALL: &[Experiment] = &[Experiment {
    name: "cpu_prefetch",
    title: "Software prefetch on the CPU",
    source: include_str!("experiments/cpu_prefetch.rs"),
    kernels: &[],
    run: cpu_prefetch::run,
}];
