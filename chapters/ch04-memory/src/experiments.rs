//! What the host measures for this chapter's page.

use verify::experiment::Experiment;

mod bandwidth;
mod latency;

/// This chapter's host experiments, in reading order.
pub const ALL: &[Experiment] = &[
    Experiment {
        name: "latency",
        title: "Cycles from one load to the next, by where the chain fits",
        source: include_str!("experiments/latency.rs"),
        kernels: &[
            include_str!("../kernels/1_chase.cu"),
            include_str!("../kernels/2_chase_shared.cu"),
        ],
        run: latency::run,
    },
    Experiment {
        name: "bandwidth",
        title: "Bytes read in a second, by where they come from",
        source: include_str!("experiments/bandwidth.rs"),
        kernels: &[
            include_str!("../kernels/3_reread.cu"),
            include_str!("../kernels/4_reread_shared.cu"),
        ],
        run: bandwidth::run,
    },
];
