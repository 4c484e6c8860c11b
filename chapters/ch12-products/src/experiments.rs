//! What only a host can measure in this chapter.

use verify::experiment::Experiment;

mod half;
mod single;

/// This chapter's host experiments, in reading order.
pub const ALL: &[Experiment] = &[
    Experiment {
        name: "single",
        title: "Single precision beside cuBLAS",
        source: include_str!("experiments/single.rs"),
        kernels: &[
            include_str!("../kernels/1_square.cu"),
            include_str!("../kernels/2_vector.cu"),
            include_str!("../kernels/3_warps.cu"),
            include_str!("../kernels/4_two_buffers.cu"),
            include_str!("../kernels/5_async.cu"),
        ],
        run: single::run,
    },
    Experiment {
        name: "half",
        title: "Sixteen bits beside cuBLAS",
        source: include_str!("experiments/half.rs"),
        kernels: &[
            include_str!("../kernels/7_wmma.cu"),
            include_str!("../kernels/8_mma.cu"),
            include_str!("../kernels/9_wgmma.cu"),
            include_str!("../kernels/10_pipelined.cu"),
            include_str!("../kernels/11_persistent.cu"),
            include_str!("../kernels/12_cluster.cu"),
        ],
        run: half::run,
    },
];
