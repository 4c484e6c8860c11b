//! # When a launch returns, and when the kernel is done
//!
//! A launch only queues the kernel. Two clocks on the host: one that is stopped when the launch
//! returns, one that is stopped when the device says that it is done.

use anyhow::Result;
use cudarc::driver::{LaunchConfig, PushKernelArg};
use std::time::Instant;
use verify::experiment::Lab;

const CHAINS: &str = include_str!("../../kernels/2_chains.cu");

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let (repeats, n) = if lab.quick() { (2, 1u32 << 12) } else { (51, 1 << 22) };
    let context = lab.context().clone();
    let stream = context.default_stream();
    let kernel = lab.compile(CHAINS)?.load_function("work")?;
    let start = stream.alloc_zeros::<f32>(n as usize)?;
    let mut out = stream.alloc_zeros::<f32>(n as usize)?;
    let (grid_dim, block_dim) = ((n.div_ceil(256), 1, 1), (256, 1, 1));
    let shape = LaunchConfig { grid_dim, block_dim, shared_mem_bytes: 0 };
    let (mut returned, mut done) = (Vec::new(), Vec::new());
    // The first run loads the kernel. It does not count.
    for repeat in 0..=repeats {
        context.synchronize()?;
        let clock = Instant::now();
        let mut call = stream.launch_builder(&kernel);
        call.arg(&start).arg(&mut out).arg(&n).arg(&1u32);
        // SAFETY: (start, out, n, chains): both arrays have n floats.
        unsafe { call.launch(shape) }?;
        let launched = clock.elapsed();
        context.synchronize()?;
        let finished = clock.elapsed();
        if repeat > 0 {
            returned.push(launched.as_secs_f64() * 1e6);
            done.push(finished.as_secs_f64() * 1e6);
        }
    }
    lab.row("the launch returns").samples("time_us", &returned);
    lab.row("the device is synchronised").samples("time_us", &done);
    Ok(())
}
