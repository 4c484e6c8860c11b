//! What only a host can measure in this chapter.

use verify::experiment::Experiment;

mod operations;
mod summary;

/// This chapter's host experiments, in reading order.
pub const ALL: &[Experiment] = &[
    Experiment {
        name: "summary",
        title: "Four sums in one run",
        source: include_str!("experiments/summary.rs"),
        kernels: &[
            include_str!("../kernels/1_global.cu"),
            include_str!("../kernels/2_shared.cu"),
            include_str!("../kernels/3_unroll4.cu"),
            include_str!("../kernels/4_dynamic.cu"),
        ],
        run: summary::run,
    },
    Experiment {
        name: "operations",
        title: "One step of a chain",
        source: include_str!("experiments/operations.rs"),
        kernels: &[include_str!("../kernels/12_operations.cu")],
        run: operations::run,
    },
];
