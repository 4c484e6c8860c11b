//! The library's kernels on the simulator: no device, no NVRTC, all checks on.
//!
//! The texts and constants are those that the library compiles ([`kernels::programs`]), as they are:
//! asynchronous copies and tensor cores included. The launches are any that a kernel's own text allows, so that
//! an array's end, a tile's edge and a block without work all come up. An output is not initialised before:
//! what a kernel forgets to write is seen, and what it reads too early is a finding.
//!
//! Not done: an array always begins at a multiple of 16 bytes here, but for the reductions'; the device's
//! tests have the others.

#[path = "simulator/moves.rs"]
mod moves;
#[path = "simulator/products.rs"]
mod products;
#[path = "simulator/products_16.rs"]
mod products_16;
#[path = "simulator/reductions.rs"]
mod reductions;
#[path = "simulator/rows.rs"]
mod rows;
#[path = "simulator/run.rs"]
mod run;

/// Every program of the library compiles for the simulator.
#[test]
fn every_program_compiles() {
    for program in kernels::programs::all() {
        if let Err(why) = run::compile(&program, program.source()) {
            panic!("{}: {why}", program.file.name);
        }
    }
}
