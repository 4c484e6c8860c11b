//! # Latency of instructions, in cycles
//!
//! Latencies of instructions: a single warp, long chains, the multiprocessor's clock.

use anyhow::Result;
use cudarc::driver::{LaunchConfig, PushKernelArg};
use verify::experiment::Lab;

const KERNELS: &str = include_str!("../../kernels/4_latency.cu");

/// A chain is gone through so many times.
const ROUNDS: u32 = 32;
/// Instructions in it, or barriers.
const STEPS: f64 = 128.0;
/// The chains of the kernel `latency`, in its order.
const CHAINS: [&str; 7] = [
    "float add",
    "float multiply-add",
    "float division",
    "float square root",
    "double multiply-add",
    "integer multiply-add",
    "shuffle",
];

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let repeats = if lab.quick() { 2 } else { 31 };
    let stream = lab.context().default_stream();
    let module = lab.compile(KERNELS)?;
    let (latency, barrier) = (module.load_function("latency")?, module.load_function("barrier")?);
    let one_block = |threads| LaunchConfig {
        grid_dim: (1, 1, 1),
        block_dim: (threads, 1, 1),
        shared_mem_bytes: 0,
    };

    let (x, y, z) =
        (stream.clone_htod(&[0.5f32])?, stream.clone_htod(&[0.5f64])?, stream.clone_htod(&[5u32])?);
    let mut floats = stream.alloc_zeros::<f32>(4)?;
    let mut doubles = stream.alloc_zeros::<f64>(1)?;
    let mut words = stream.alloc_zeros::<u32>(2)?;
    let mut cycles = stream.alloc_zeros::<i64>(CHAINS.len())?;
    let mut samples = vec![Vec::new(); CHAINS.len()];
    let steps = STEPS * f64::from(ROUNDS);
    // The first run brings the instructions into their cache. It does not count.
    for repeat in 0..=repeats {
        let mut call = stream.launch_builder(&latency);
        call.arg(&x).arg(&y).arg(&z);
        call.arg(&mut floats).arg(&mut doubles).arg(&mut words).arg(&mut cycles).arg(&ROUNDS);
        // SAFETY: (x, y, z, floats, doubles, words, cycles, rounds), the arrays of 1, 1, 1, 4, 1, 2
        // and 7 elements.
        unsafe { call.launch(one_block(32)) }?;
        let all = stream.clone_dtoh(&cycles)?;
        if repeat > 0 {
            samples.iter_mut().zip(all).for_each(|(of, cycles)| of.push(cycles as f64 / steps));
        }
    }
    for (name, samples) in CHAINS.iter().zip(&samples) {
        lab.row(*name).samples("cycles", samples);
    }

    for warps in [1, 8, 32] {
        let mut samples = Vec::new();
        for repeat in 0..=repeats {
            let mut call = stream.launch_builder(&barrier);
            call.arg(&mut cycles);
            // SAFETY: (cycles), of which it writes the first.
            unsafe { call.launch(one_block(32 * warps)) }?;
            let all = stream.clone_dtoh(&cycles)?;
            if repeat > 0 {
                samples.push(all[0] as f64 / STEPS);
            }
        }
        let name = format!("barrier of {warps} warp{}", if warps == 1 { "" } else { "s" });
        lab.row(name).samples("cycles", &samples);
    }
    Ok(())
}
