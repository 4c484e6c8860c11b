//! A warp of a kernel file can be followed.

use simt::Follow;
use std::path::Path;
use verify::backend::sim::trace;
use verify::{KernelFile, Project};

const FILE: &str = "\
//@ input in: int[n] = iota
//@ scratch half: int[n] = poison
//@ output out: int[n] = poison
//@ launch first(in, half, n) grid = (n + 63) / 64, block = 64
//@ launch second(half, out, n) grid = (n + 63) / 64, block = 64
//@ page 100
__global__ void first(const int* in, int* half, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) half[i] = in[i] / 2;
}
__global__ void second(const int* half, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && half[i] % 2 == 0) out[i] = half[i];
}
__host__ __device__ int expected(const int* in, unsigned i) { return in[i]; }
";

/// What is recorded of the accesses, or the first problem.
fn followed(number: usize, block: u32, warp: u32) -> Result<Vec<(u32, u32)>, String> {
    let project = Project { root: Path::new("../..").to_path_buf() };
    let file = KernelFile::parse("x.cu", FILE.to_owned()).expect("a kernel file");
    let trace = trace(&file, &project, 100, number, Follow { block, warp, steps: 100 })
        .map_err(|problems| problems[0].message.clone())?;
    let accesses = trace.steps.iter().filter(|s| !s.touched.is_empty());
    Ok(accesses.map(|s| (s.line, s.lanes)).collect())
}

#[test]
fn the_launch_the_block_and_the_warp_are_those_that_were_asked_for() {
    assert_eq!(followed(0, 0, 0).unwrap(), [(9, u32::MAX), (9, u32::MAX)]);
    // Elements 96 to 99 of 100.
    assert_eq!(followed(0, 1, 1).unwrap(), [(9, 0xF), (9, 0xF)]);
    // The second launch reads what the first wrote: 48, 48, 49, 49.
    assert_eq!(followed(1, 1, 1).unwrap(), [(13, 0xF), (13, 0x3), (13, 0x3)]);
}

#[test]
fn what_is_not_there_is_said_with_what_there_is() {
    assert_eq!(
        followed(2, 0, 0).unwrap_err(),
        "there is no launch number 3 at n = 100: the file has 2"
    );
    assert_eq!(
        followed(0, 2, 0).unwrap_err(),
        "there is no block 2, warp 0: at n = 100 `first` has 2 blocks of 2 warps"
    );
    assert!(followed(0, 0, 2).is_err());
}
