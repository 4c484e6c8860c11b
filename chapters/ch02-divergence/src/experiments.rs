//! What only a host's clock can show.

use verify::experiment::Experiment;

mod first_launch;
mod seconds;

/// This chapter's host experiments, in reading order.
pub const ALL: &[Experiment] = &[
    Experiment {
        name: "first_launch",
        title: "Three kernels, each for the first time and for the second",
        source: include_str!("experiments/first_launch.rs"),
        kernels: &[],
        run: first_launch::run,
    },
    Experiment {
        name: "seconds",
        title: "One path and 32, by a clock of whole seconds",
        source: include_str!("experiments/seconds.rs"),
        kernels: &[include_str!("../kernels/6_paths.cu")],
        run: seconds::run,
    },
];
