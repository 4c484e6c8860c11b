//! What several experiments need: contexts with and without cudarc's tracking, pinned memory, and
//! samples.

use crate::model::{Engine, Order};
use crate::pipeline::{Pipeline, Plan, WORK};
use anyhow::Result;
use cudarc::driver::{CudaContext, CudaFunction, LaunchConfig, PinnedHostSlice, PushKernelArg};
use std::sync::Arc;
use std::time::Instant;
use verify::experiment::Lab;

/// The rounds with which the work takes about as long as a copy on the machine where the book was
/// recorded.
pub(super) const ROUNDS: i32 = 2048;

/// Calls of [`samples`] that are not recorded.
pub(super) const WARM_UP: u32 = 2;

/// Numbers in the array that goes through the pipeline: 64 MiB of them, or fewer in a test.
pub(super) fn numbers(lab: &Lab) -> usize {
    if lab.quick() { 1 << 16 } else { 1 << 24 }
}

/// A context of our own for the lab's device, as cudarc makes it: with event tracking.
pub(super) fn tracked(lab: &Lab) -> Result<Arc<CudaContext>> {
    Ok(CudaContext::new(lab.context().ordinal())?)
}

/// A context of our own for the lab's device, without event tracking.
pub(super) fn untracked(lab: &Lab) -> Result<Arc<CudaContext>> {
    let context = tracked(lab)?;
    // SAFETY: nothing has been allocated in it yet. Whoever uses it waits by hand: `Pipeline`
    // before it returns, the other experiments by using a single stream.
    unsafe { context.disable_event_tracking() };
    Ok(context)
}

/// Pinned memory that the host reads at full speed too, all zeros. (cudarc's `alloc_pinned` gives
/// write-combined memory, which the host reads very slowly.)
pub(super) fn pinned(context: &Arc<CudaContext>, n: usize) -> Result<PinnedHostSlice<f32>> {
    // SAFETY: the memory is unset; every bit pattern is a float, and it is written at once.
    let mut memory = unsafe { context.alloc_pinned_with_flags::<f32>(n, 0) }?;
    memory.as_mut_slice()?.fill(0.0);
    Ok(memory)
}

/// The kernel of the pipeline.
pub(super) fn work(lab: &Lab) -> Result<CudaFunction> {
    Ok(lab.compile(WORK)?.load_function("work")?)
}

/// Calls `once`, which returns what it measured: to warm up, then for the record.
pub(super) fn samples(lab: &Lab, mut once: impl FnMut() -> Result<f64>) -> Result<Vec<f64>> {
    for _ in 0..WARM_UP {
        once()?;
    }
    (0..count(lab)).map(|_| once()).collect()
}

/// How many samples are taken for the record.
pub(super) fn count(lab: &Lab) -> u32 {
    if lab.quick() { 3 } else { 30 }
}

/// Microseconds since `start`.
pub(super) fn micros(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e6
}

/// Milliseconds that the array takes through a pipeline, in and out of pinned memory.
pub(super) fn pinned_times(
    lab: &Lab,
    context: &Arc<CudaContext>,
    streams: usize,
    pieces: usize,
    order: Order,
) -> Result<Vec<f64>> {
    let n = numbers(lab);
    let mut pipeline = Pipeline::new(context, work(lab)?, streams, n)?;
    let (mut from, mut to) = (pinned(context, n)?, pinned(context, n)?);
    let (from, to) = (from.as_mut_slice()?, to.as_mut_slice()?);
    times(lab, &mut pipeline, from, to, Plan { pieces, order, rounds: ROUNDS })
}

/// Milliseconds that `from` takes through a pipeline into `to`. Every number of the last run is
/// looked at: what was not copied in time would not be right.
pub(super) fn times(
    lab: &Lab,
    pipeline: &mut Pipeline,
    from: &mut [f32],
    to: &mut [f32],
    plan: Plan,
) -> Result<Vec<f64>> {
    for (i, x) in from.iter_mut().enumerate() {
        *x = (i % 1000) as f32 / 1000.0;
    }
    to.fill(-1.0);
    let measured = samples(lab, || {
        let start = Instant::now();
        pipeline.run(from, to, plan)?;
        Ok(micros(start) / 1e3)
    })?;
    for (i, (x, y)) in from.iter().zip(&*to).enumerate() {
        let wanted = (0..plan.rounds.min(64)).fold(*x, |x, _| x.mul_add(0.5, 0.25));
        anyhow::ensure!((wanted - y).abs() < 1e-5, "number {i} came back as {y}, not {wanted}");
    }
    Ok(measured)
}

/// Milliseconds of each stage for the whole array, with nothing else going on.
pub(super) fn stages(lab: &Lab, context: &Arc<CudaContext>) -> Result<[Vec<f64>; 3]> {
    let n = numbers(lab);
    let stream = context.new_stream()?;
    let work = work(lab)?;
    let mut host = pinned(context, n)?;
    let host = host.as_mut_slice()?;
    let mut data = stream.alloc_zeros::<f32>(n)?;
    stream.synchronize()?;

    let to_device = samples(lab, || {
        let start = Instant::now();
        stream.memcpy_htod(&*host, &mut data)?;
        stream.synchronize()?;
        Ok(micros(start) / 1e3)
    })?;
    let (count, rounds) = (u32::try_from(n)?, ROUNDS);
    let (grid_dim, block_dim) = ((count.div_ceil(256), 1, 1), (256, 1, 1));
    let worked = samples(lab, || {
        let start = Instant::now();
        let mut call = stream.launch_builder(&work);
        call.arg(&mut data).arg(&count).arg(&rounds);
        // SAFETY: `work` takes (float*, unsigned int, int) and touches `count` floats; there are
        // `n`, which `count` is.
        unsafe { call.launch(LaunchConfig { grid_dim, block_dim, shared_mem_bytes: 0 }) }?;
        stream.synchronize()?;
        Ok(micros(start) / 1e3)
    })?;
    let to_host = samples(lab, || {
        let start = Instant::now();
        stream.memcpy_dtoh(&data, host)?;
        stream.synchronize()?;
        Ok(micros(start) / 1e3)
    })?;
    Ok([to_device, worked, to_host])
}

/// The middle one.
pub(super) fn median(samples: &[f64]) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

/// What ran when: eight pieces, with an event before and after each stage of each.
pub(super) fn draw(lab: &mut Lab, context: &Arc<CudaContext>, streams: usize) -> Result<()> {
    let n = numbers(lab);
    let mut pipeline = Pipeline::new(context, work(lab)?, streams, n)?;
    let (from, mut to) = (pinned(context, n)?, pinned(context, n)?);
    let (from, to) = (from.as_slice()?, to.as_mut_slice()?);
    let plan = Plan { pieces: 8, order: Order::DepthFirst, rounds: ROUNDS };
    for _ in 0..3 {
        pipeline.run(from, to, plan)?;
    }
    let (begin, stages) = pipeline.run_timed(from, to, plan)?;
    let mut last = 0.0_f64;
    for stage in &stages {
        let start = f64::from(begin.elapsed_ms(&stage.start)?) * 1e3;
        let end = f64::from(begin.elapsed_ms(&stage.end)?) * 1e3;
        let what = match stage.engine {
            Engine::In => "copy in",
            Engine::Compute => "work",
            Engine::Out => "copy out",
        };
        lab.span(format!("stream {}", stage.stream), what, start, end);
        last = last.max(end);
    }
    lab.row("all eight pieces").value("time_us", last);
    Ok(())
}
