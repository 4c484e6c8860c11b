//! The library's kernels on the simulator: no device, no NVRTC, all checks on.
//!
//! The texts and constants are those that the library compiles ([`kernels::programs`]); every program
//! is either run here or refused by the simulator for its inline assembly, which one test says program by
//! program. Of the refused ones those whose only assembly is the asynchronous copy run all the same, with
//! plain copies in its place ([`stand_in`]). The launches are any that a kernel's own text allows, so that
//! an array's end, a tile's edge and a block without work all come up. An output is not initialised before:
//! what a kernel forgets to write is seen, and what it reads too early is a finding.
//!
//! Not done: the products on tensor cores, and layernorm by clusters. And an array always begins at a multiple of 16 bytes here,
//! but for the reductions'; the device's tests have the others.

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
#[path = "simulator/stand_in.rs"]
mod stand_in;

/// Nothing is left out by accident: what is not run is refused, by name.
#[test]
fn only_inline_assembly_keeps_a_kernel_out() {
    let mut refused = Vec::new();
    for program in kernels::programs::all() {
        let assembly = program.source().contains("asm volatile(");
        match run::compile(&program, program.source()) {
            Ok(_) => assert!(!assembly, "{program:?} is understood"),
            Err(why) => {
                let named = why.contains("the simulator does not support inline assembly");
                assert!(assembly && named, "{program:?}: {why}");
                refused.push(program.file.name);
            }
        }
    }
    refused.dedup();
    let named = [
        "rows.cuh",
        "matmul_f32.cuh",
        "matmul_ampere.cuh",
        "layernorm_cluster.cuh",
        "matmul_hopper.cuh",
    ];
    assert_eq!(refused, named);
}
