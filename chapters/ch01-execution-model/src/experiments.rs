//! What only a host can show: copies, launches, clocks, and which multiprocessor took which block.

use verify::experiment::Experiment;

mod copy_back;
mod launches;
mod placement;
mod relu;
mod timer;
mod who;

/// This chapter's host experiments, in reading order.
pub const ALL: &[Experiment] = &[
    Experiment {
        name: "who",
        title: "Who writes which element",
        source: include_str!("experiments/who.rs"),
        kernels: &[include_str!("../kernels/1_who.cu")],
        run: who::run,
    },
    Experiment {
        name: "copy_back",
        title: "Two numbers, added, and read from two places",
        source: include_str!("experiments/copy_back.rs"),
        kernels: &[include_str!("../kernels/2_vector_add.cu")],
        run: copy_back::run,
    },
    Experiment {
        name: "relu",
        title: "ReLU, with the way there and back",
        source: include_str!("experiments/relu.rs"),
        kernels: &[include_str!("../kernels/9_relu.cu")],
        run: relu::run,
    },
    Experiment {
        name: "timer",
        title: "The sum of two matrices, by two clocks",
        source: include_str!("experiments/timer.rs"),
        kernels: &[include_str!("../kernels/5_matrix_sum.cu")],
        run: timer::run,
    },
    Experiment {
        name: "launches",
        title: "Twenty launches in a row, and twenty kernels",
        source: include_str!("experiments/launches.rs"),
        kernels: &[include_str!("../kernels/6_waves.cu")],
        run: launches::run,
    },
    Experiment {
        name: "placement",
        title: "Blocks on multiprocessors",
        source: include_str!("experiments/placement.rs"),
        kernels: &[],
        run: placement::run,
    },
];
