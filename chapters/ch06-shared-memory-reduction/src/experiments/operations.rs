//! # Latency of one step of a chain, by operation
//!
//! What one operation costs when the next one waits for it: a single warp, the multiprocessor's own
//! clock, and a chain of 256 steps. Each step is the operation and one multiply-add; the row "the
//! multiply-add alone" is what to subtract.

use anyhow::Result;
use cudarc::driver::{LaunchConfig, PushKernelArg};
use verify::experiment::Lab;

const SOURCE: &str = include_str!("../../kernels/12_operations.cu");

/// Steps of the chain, as the kernel has it.
const STEPS: f64 = 256.0;

/// What stands before the multiply-add, by the kernel's `op`.
const OPERATIONS: [&str; 7] = [
    "the multiply-add alone",
    "x & (d - 1)",
    "x % 32",
    "x % 10",
    "x % d, unsigned",
    "x % d, signed",
    "x % d, a new d each time",
];

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let chain = lab.compile(SOURCE)?.load_function("chain")?;
    let stream = lab.context().default_stream();
    let times = if lab.quick() { 2 } else { 50 };
    let one_warp = LaunchConfig { grid_dim: (1, 1, 1), block_dim: (32, 1, 1), shared_mem_bytes: 0 };
    let start = stream.clone_htod(&(1..=32u32).collect::<Vec<_>>())?;
    let mut out = stream.alloc_zeros::<u32>(32)?;
    let mut cycles = stream.alloc_zeros::<i64>(32)?;

    for (op, name) in (0u32..).zip(OPERATIONS) {
        let mut samples = Vec::with_capacity(times);
        for _ in 0..=times {
            let mut call = stream.launch_builder(&chain);
            call.arg(&start).arg(&mut out).arg(&mut cycles);
            call.arg(&32u32).arg(&op).arg(&32u32).arg(&5u32);
            // SAFETY: `chain` takes (const unsigned*, unsigned*, long long*, unsigned n, op, d,
            // five) and touches `n` elements of each array: 32, as many as there are.
            unsafe { call.launch(one_warp) }?;
            samples.push(stream.clone_dtoh(&cycles)?[0] as f64 / STEPS);
        }
        // The first launch also fetches the instructions.
        lab.row(name).samples("cycles", &samples[1..]);
    }
    Ok(())
}
