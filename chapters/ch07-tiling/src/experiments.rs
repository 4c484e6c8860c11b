//! What only a host can measure in this chapter.

use verify::experiment::Experiment;

mod library;
mod task;

/// This chapter's host experiments, in reading order.
pub const ALL: &[Experiment] = &[
    Experiment {
        name: "task",
        title: "Naive against tiled",
        source: include_str!("experiments/task.rs"),
        kernels: &[
            include_str!("../kernels/2_coalesced.cu"),
            include_str!("../kernels/3_tiled.cu"),
        ],
        run: task::run,
    },
    Experiment {
        name: "library",
        title: "The product beside cuBLAS",
        source: include_str!("experiments/library.rs"),
        kernels: &[
            include_str!("../kernels/1_naive.cu"),
            include_str!("../kernels/2_coalesced.cu"),
            include_str!("../kernels/3_tiled.cu"),
            include_str!("../kernels/4_tiled32.cu"),
            include_str!("../kernels/5_column.cu"),
            include_str!("../kernels/6_square.cu"),
            include_str!("../kernels/7_vector.cu"),
            include_str!("../kernels/8_split.cu"),
            include_str!("../kernels/9_prefetch.cu"),
        ],
        run: library::run,
    },
];
