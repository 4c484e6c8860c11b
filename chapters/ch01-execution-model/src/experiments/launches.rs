//! # Twenty launches: when the calls return, and when the kernels are done
//!
//! Does the host wait for a kernel before it launches the next? Twenty kernels in a row: the clock is
//! read when the last launch has returned, and again when the last kernel is done.

use anyhow::Result;
use cudarc::driver::{LaunchConfig, PushKernelArg};
use std::time::Instant;
use verify::experiment::Lab;

const SOURCE: &str = include_str!("../../kernels/6_waves.cu");

const LAUNCHES: usize = 20;

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let (steps, rounds) = if lab.quick() { (1u32 << 8, 3) } else { (1 << 14, 31) };
    let busy = lab.compile(SOURCE)?.load_function("busy")?;
    let stream = lab.context().default_stream();
    let mut out = stream.alloc_zeros::<u32>(64 * 1024)?;
    let shape = LaunchConfig { grid_dim: (64, 1, 1), block_dim: (1024, 1, 1), shared_mem_bytes: 0 };
    let (mut returned, mut done) = (Vec::new(), Vec::new());
    for round in 0..=rounds {
        stream.synchronize()?;
        let clock = Instant::now();
        for _ in 0..LAUNCHES {
            let mut call = stream.launch_builder(&busy);
            call.arg(&mut out).arg(&steps);
            // SAFETY: `busy` takes (unsigned int*, unsigned int); each of the 64 * 1024 threads
            // writes its own element.
            unsafe { call.launch(shape) }?;
        }
        let launched = clock.elapsed().as_secs_f64() * 1e3;
        stream.synchronize()?;
        if round > 0 {
            returned.push(launched);
            done.push(clock.elapsed().as_secs_f64() * 1e3);
        }
    }
    lab.row("the last launch has returned").samples("time_ms", &returned);
    lab.row("the last kernel is done").samples("time_ms", &done);
    Ok(())
}
