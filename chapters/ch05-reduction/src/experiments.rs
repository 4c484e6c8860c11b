//! What only a host can measure in this chapter.

use verify::experiment::Experiment;

mod floats;
mod old_program;

/// This chapter's host experiments, in reading order.
pub const ALL: &[Experiment] = &[
    Experiment {
        name: "old_program",
        title: "A sum, on the host and on the device",
        source: include_str!("experiments/old_program.rs"),
        kernels: &[
            include_str!("../kernels/1_neighbored.cu"),
            include_str!("../kernels/2_neighbored_less.cu"),
            include_str!("../kernels/3_interleaved.cu"),
        ],
        run: old_program::run,
    },
    Experiment {
        name: "floats",
        title: "One sum of floats, five orders",
        source: include_str!("experiments/floats.rs"),
        kernels: &[
            include_str!("../kernels/16_float_atomic.cu"),
            include_str!("../kernels/17_float_two_pass.cu"),
        ],
        run: floats::run,
    },
];
