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

/// The kernel that only counts its launches.
const TICK: &str = include_str!("../kernels/3_tick.cu");

verify::experiments! {
    call: ["1_work"],
    large_copies: [],
    copies: [],
    one_stream: ["1_work"],
    four_streams: ["1_work"],
    foretold: ["1_work"],
    tracked: ["1_work"],
    overlap: ["1_work"],
    streams: ["1_work"],
    pieces: ["1_work"],
    ring: ["1_work"],
    launch: ["3_tick"],
    pool: ["1_work"],
}
