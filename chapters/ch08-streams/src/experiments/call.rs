//! # When a call returns, and when its work is done
//!
//! How long the host is held up by a call, and how long the device is busy with it. A launch and a
//! copy from pinned memory are notes left for the device; a copy from pageable memory is a wait.

use super::common::{ROUNDS, WARM_UP, micros, numbers, pinned, samples, untracked, work};
use anyhow::Result;
use cudarc::driver::{LaunchConfig, PushKernelArg};
use std::time::Instant;
use verify::experiment::Lab;

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let context = untracked(lab)?;
    let stream = context.new_stream()?;
    let n = numbers(lab);
    let work = work(lab)?;
    let pinned = pinned(&context, n)?;
    let pinned = pinned.as_slice()?;
    let pageable = vec![0.0_f32; n];
    let mut data = stream.alloc_zeros::<f32>(n)?;
    stream.synchronize()?;

    let (count, rounds) = (u32::try_from(n)?, 16 * ROUNDS);
    let (grid_dim, block_dim) = ((count.div_ceil(256), 1, 1), (256, 1, 1));
    let shape = LaunchConfig { grid_dim, block_dim, shared_mem_bytes: 0 };
    let mut launch = || -> Result<()> {
        let mut call = stream.launch_builder(&work);
        call.arg(&mut data).arg(&count).arg(&rounds);
        // SAFETY: `work` takes (float*, unsigned int, int) and touches `count` floats; there are
        // `n`, which `count` is.
        unsafe { call.launch(shape) }?;
        Ok(())
    };
    let mut times = vec![("a kernel", both(lab, &stream, &mut launch)?)];
    let mut copy = || Ok(stream.memcpy_htod(pinned, &mut data)?);
    times.push(("a copy from pinned memory", both(lab, &stream, &mut copy)?));
    let mut copy = || Ok(stream.memcpy_htod(&pageable, &mut data)?);
    times.push(("a copy from pageable memory", both(lab, &stream, &mut copy)?));

    for (what, (returned, done)) in times {
        lab.row(format!("{what}: the call returns")).samples("time_us", &returned);
        lab.row(format!("{what}: it is done")).samples("time_us", &done);
    }
    Ok(())
}

/// Microseconds from the call until it returns, and until its work is done.
fn both(
    lab: &Lab,
    stream: &cudarc::driver::CudaStream,
    call: &mut dyn FnMut() -> Result<()>,
) -> Result<(Vec<f64>, Vec<f64>)> {
    let mut returned = Vec::new();
    let done = samples(lab, || {
        let start = Instant::now();
        call()?;
        returned.push(micros(start));
        stream.synchronize()?;
        Ok(micros(start))
    })?;
    returned.drain(..WARM_UP as usize);
    Ok((returned, done))
}
