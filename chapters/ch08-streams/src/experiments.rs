//! What the chapter measures on the host's side: each experiment is one file, one function.

mod common;

mod call;
mod copies;
mod foretold;
mod four_streams;
mod large_copies;
mod launch;
mod one_stream;
mod overlap;
mod pieces;
mod pool;
mod ring;
mod streams;
mod tracked;

use crate::pipeline::WORK;
use verify::experiment::Experiment;

/// The kernel that only counts its launches.
const TICK: &str = include_str!("../kernels/3_tick.cu");

/// This chapter's host experiments, in reading order.
pub const ALL: &[Experiment] = &[
    Experiment {
        name: "call",
        title: "When a call returns, and when its work is done",
        source: include_str!("experiments/call.rs"),
        kernels: &[WORK],
        run: call::run,
    },
    Experiment {
        name: "large_copies",
        title: "Copies of 256 MiB",
        source: include_str!("experiments/large_copies.rs"),
        kernels: &[],
        run: large_copies::run,
    },
    Experiment {
        name: "copies",
        title: "The speed of a copy over its size",
        source: include_str!("experiments/copies.rs"),
        kernels: &[],
        run: copies::run,
    },
    Experiment {
        name: "one_stream",
        title: "Eight pieces in one stream",
        source: include_str!("experiments/one_stream.rs"),
        kernels: &[WORK],
        run: one_stream::run,
    },
    Experiment {
        name: "four_streams",
        title: "Eight pieces in four streams",
        source: include_str!("experiments/four_streams.rs"),
        kernels: &[WORK],
        run: four_streams::run,
    },
    Experiment {
        name: "foretold",
        title: "A model: eight pieces in four streams, as foretold",
        source: include_str!("experiments/foretold.rs"),
        kernels: &[WORK],
        run: foretold::run,
    },
    Experiment {
        name: "tracked",
        title: "Eight pieces in four streams, with cudarc's event tracking",
        source: include_str!("experiments/tracked.rs"),
        kernels: &[WORK],
        run: tracked::run,
    },
    Experiment {
        name: "overlap",
        title: "In, work and out, arranged in many ways",
        source: include_str!("experiments/overlap.rs"),
        kernels: &[WORK],
        run: overlap::run,
    },
    Experiment {
        name: "streams",
        title: "Sixteen pieces, more and more streams",
        source: include_str!("experiments/streams.rs"),
        kernels: &[WORK],
        run: streams::run,
    },
    Experiment {
        name: "pieces",
        title: "Four streams, more and more pieces",
        source: include_str!("experiments/pieces.rs"),
        kernels: &[WORK],
        run: pieces::run,
    },
    Experiment {
        name: "ring",
        title: "Room for a few pieces",
        source: include_str!("experiments/ring.rs"),
        kernels: &[WORK],
        run: ring::run,
    },
    Experiment {
        name: "launch",
        title: "What a launch costs, by hand and by graph",
        source: include_str!("experiments/launch.rs"),
        kernels: &[TICK],
        run: launch::run,
    },
    Experiment {
        name: "pool",
        title: "What an allocation costs",
        source: include_str!("experiments/pool.rs"),
        kernels: &[WORK],
        run: pool::run,
    },
];
