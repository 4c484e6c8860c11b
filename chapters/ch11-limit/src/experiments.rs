//! What only a host can measure in this chapter.

use verify::experiment::Experiment;

mod library;

/// This chapter's host experiments, in reading order.
pub const ALL: &[Experiment] = &[Experiment {
    name: "library",
    title: "The same work by the library `kernels`",
    source: include_str!("experiments/library.rs"),
    kernels: &[],
    run: library::run,
}];
