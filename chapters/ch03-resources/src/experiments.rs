//! What the host measures for this chapter's page.

use verify::experiment::Experiment;

mod latency;
mod waiting;

/// This chapter's host experiments, in reading order.
pub const ALL: &[Experiment] = &[
    Experiment {
        name: "latency",
        title: "Cycles from one instruction to the next that needs it",
        source: include_str!("experiments/latency.rs"),
        kernels: &[include_str!("../kernels/4_latency.cu")],
        run: latency::run,
    },
    Experiment {
        name: "waiting",
        title: "When a launch returns, and when the kernel is done",
        source: include_str!("experiments/waiting.rs"),
        kernels: &[include_str!("../kernels/2_chains.cu")],
        run: waiting::run,
    },
];
