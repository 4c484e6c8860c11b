//! The library's kernels on the simulator: no device, no NVRTC, all checks on.
//!
//! The texts and constants are those that the library compiles ([`kernels::programs`]), as they are:
//! asynchronous copies and tensor cores included. The launches are any that a kernel's own text allows, so that
//! an array's end, a tile's edge and a block without work all come up. An output is not initialised before:
//! what a kernel forgets to write is seen, and what it reads too early is a finding.
//!
//! Not done: the products on tensor cores are compiled and not run, and what needs clusters of blocks is
//! refused, which one test says program by program. And an array always begins at a multiple of 16 bytes
//! here, but for the reductions'; the device's tests have the others.

#[path = "simulator/moves.rs"]
mod moves;
#[path = "simulator/products.rs"]
mod products;
#[path = "simulator/reductions.rs"]
mod reductions;
#[path = "simulator/rows.rs"]
mod rows;
#[path = "simulator/run.rs"]
mod run;

/// Nothing is left out by accident: what is not run is refused, by name.
#[test]
fn only_clusters_keep_a_kernel_out() {
    let mut refused = Vec::new();
    for program in kernels::programs::all() {
        if let Err(why) = run::compile(&program, program.source()) {
            assert!(why.contains("does not support") && why.contains("cluster"), "{why}");
            refused.push(program.file.name);
        }
    }
    refused.dedup();
    assert_eq!(refused, ["layernorm_cluster.cuh", "matmul_hopper.cuh"]);
}
