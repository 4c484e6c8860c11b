//! # A ring of buffers
//!
//! Room for a few pieces instead of the whole array: the library's pipeline, a ring of buffers with a
//! stream each, beside the chapter's own, which has room for all. The bound is what the slowest engine
//! takes and one piece of the others, with both directions of the bus busy, as they are.

use super::common::{
    ROUNDS, median, micros, numbers, pinned, pinned_times, samples, stages, untracked, work,
};
use crate::model::Order;
use anyhow::{Result, ensure};
use cudarc::driver::{CudaContext, LaunchConfig, PushKernelArg};
use kernels::pipeline::Pipeline;
use std::sync::Arc;
use std::time::Instant;
use verify::experiment::Lab;

const PIECES: usize = 16;

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let context = untracked(lab)?;
    let n = numbers(lab);
    let (mut from, mut to) = (pinned(&context, n)?, pinned(&context, n)?);
    from.as_mut_slice()?.iter_mut().enumerate().for_each(|(i, x)| *x = (i % 1021) as f32);
    let (from, to) = (from.as_slice()?, to.as_mut_slice()?);
    let work = work(lab)?;

    let both = both_ways(lab, &context, from, to)?;
    let [_, worked, _] = stages(lab, &context)?.map(|stage| median(&stage));
    let most = both.max(worked);
    let bound = most + (2.0 * both + worked - most) / PIECES as f64;
    lab.row("the bound").value("time_ms", bound);

    let all = pinned_times(lab, &context, 4, PIECES, Order::DepthFirst)?;
    lab.row("room for the whole array").samples("time_ms", &all);
    for slots in [1, 2, 3, 4, 8] {
        let mut ring = Pipeline::<f32>::new(&context, slots, n.div_ceil(PIECES))?;
        to.fill(-1.0);
        let measured = samples(lab, || {
            let start = Instant::now();
            ring.run(from, to, |stream, _, part| {
                let count = part.len() as u32;
                let shape = LaunchConfig {
                    grid_dim: (count.div_ceil(256), 1, 1),
                    block_dim: (256, 1, 1),
                    shared_mem_bytes: 0,
                };
                let mut call = stream.launch_builder(&work);
                call.arg(part).arg(&count).arg(&ROUNDS);
                // SAFETY: `work` takes (float*, unsigned int, int) and touches `count` floats. The
                // part has as many.
                unsafe { call.launch(shape) }?;
                Ok(())
            })?;
            Ok(micros(start) / 1e3)
        })?;
        ensure!(to.iter().all(|y| *y >= 0.0), "a ring of {slots} left a number out");
        lab.row(format!("a ring of {slots}")).samples("time_ms", &measured);
    }
    Ok(())
}

/// Milliseconds of a copy of the whole array while another one goes the other way.
fn both_ways(lab: &Lab, context: &Arc<CudaContext>, from: &[f32], to: &mut [f32]) -> Result<f64> {
    const TIMES: usize = 3; // so often that the two mostly run together
    let (there, back) = (context.new_stream()?, context.new_stream()?);
    let mut first = there.alloc_zeros::<f32>(from.len())?;
    let second = back.alloc_zeros::<f32>(from.len())?;
    context.synchronize()?;
    let times = samples(lab, || {
        let start = Instant::now();
        for _ in 0..TIMES {
            there.memcpy_htod(from, &mut first)?;
            back.memcpy_dtoh(&second, to)?;
        }
        there.synchronize()?;
        back.synchronize()?;
        Ok(micros(start) / 1e3 / TIMES as f64)
    })?;
    Ok(median(&times))
}
