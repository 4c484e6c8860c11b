//! What the chapter measures on the host's side.

mod cpu;

use verify::experiment::Experiment;

/// This chapter's host experiments, in reading order.
pub const ALL: &[Experiment] = &[Experiment {
    name: "cpu",
    title: "The CPU beside the GPU",
    source: include_str!("experiments/cpu.rs"),
    kernels: &[],
    run: cpu::run,
}];
