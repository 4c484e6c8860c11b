//! # One path and 32, before the fraction of a second is cut off
//!
//! Two kernels of which one works thirty-two times as long, by a clock of which only the whole
//! seconds are kept.

use anyhow::Result;
use cudarc::driver::{CudaFunction, CudaSlice, CudaStream, LaunchConfig, PushKernelArg};
use std::sync::Arc;
use std::time::Instant;
use verify::experiment::Lab;

const SOURCE: &str = include_str!("../../kernels/6_paths.cu");

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let (n, rounds) = if lab.quick() { (1u32 << 16, 3) } else { (1 << 22, 31) };
    let walk = lab.compile(SOURCE)?.load_function("walk")?;
    let stream = lab.context().default_stream();
    let mut out = stream.alloc_zeros::<u32>(n as usize)?;
    for (label, paths) in [("one path", 1u32), ("32 paths", 32)] {
        let (mut whole, mut exact) = (Vec::new(), Vec::new());
        for round in 0..=rounds {
            let (seconds, us) = time_once(&stream, &walk, &mut out, paths)?;
            if round > 0 {
                whole.push(seconds as f64);
                exact.push(us);
            }
        }
        lab.row(format!("{label}, whole seconds")).samples("count", &whole);
        lab.row(label).samples("time_us", &exact);
    }
    Ok(())
}

// ANCHOR: seconds
/// How long the kernel takes: whole seconds, and microseconds.
fn time_once(
    stream: &Arc<CudaStream>,
    walk: &CudaFunction,
    out: &mut CudaSlice<u32>,
    paths: u32,
) -> Result<(u64, f64)> {
    let n = out.len() as u32;
    let (shift, steps) = (0u32, 128u32);
    let (grid_dim, block_dim) = ((n.div_ceil(256), 1, 1), (256, 1, 1));
    let shape = LaunchConfig { grid_dim, block_dim, shared_mem_bytes: 0 };
    stream.synchronize()?;
    let clock = Instant::now();
    let mut call = stream.launch_builder(walk);
    call.arg(out).arg(&paths).arg(&shift).arg(&steps).arg(&n);
    // SAFETY: `walk` takes (unsigned int*, and four unsigned
    // ints), and writes n elements.
    unsafe { call.launch(shape) }?;
    stream.synchronize()?;
    let elapsed = clock.elapsed();
    Ok((elapsed.as_secs(), elapsed.as_secs_f64() * 1e6))
}
// ANCHOR_END: seconds
