//! # The cost of a launch, in a stream and in a graph
//!
//! What it costs to launch the smallest kernel a hundred times: waiting for each, in a stream, and
//! as a graph. The kernel counts its own runs, so no launch can go missing.

use super::TICK;
use super::common::{WARM_UP, count as samples_count, micros, samples, untracked};
use anyhow::{Context, Result, ensure};
use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use cudarc::driver::{CudaFunction, CudaSlice, CudaStream, LaunchConfig, PushKernelArg};
use std::sync::Arc;
use std::time::Instant;
use verify::experiment::Lab;

/// Launches in a batch.
const BATCH: u32 = 100;

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let context = untracked(lab)?;
    let stream = context.new_stream()?;
    let tick = lab.compile(TICK)?.load_function("tick")?;
    let mut count = stream.alloc_zeros::<i32>(1)?;
    stream.synchronize()?;

    let alone = samples(lab, || {
        let start = Instant::now();
        for _ in 0..BATCH {
            launch(&stream, &tick, &mut count)?;
            stream.synchronize()?;
        }
        Ok(micros(start) / f64::from(BATCH))
    })?;
    let mut issued = Vec::new();
    let queued = samples(lab, || {
        let start = Instant::now();
        for _ in 0..BATCH {
            launch(&stream, &tick, &mut count)?;
        }
        issued.push(micros(start) / f64::from(BATCH));
        stream.synchronize()?;
        Ok(micros(start) / f64::from(BATCH))
    })?;
    let by_hand = samples_taken(lab) * 2 * BATCH;
    ensure!(counted(&stream, &count)? == by_hand, "a launch went missing");

    let start = Instant::now();
    stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)?;
    for _ in 0..BATCH {
        launch(&stream, &tick, &mut count)?;
    }
    let graph = stream.end_capture(CUgraphInstantiate_flags(0))?.context("nothing captured")?;
    let made = micros(start);
    let mut graph_issued = Vec::new();
    let replayed = samples(lab, || {
        let start = Instant::now();
        graph.launch()?;
        graph_issued.push(micros(start) / f64::from(BATCH));
        stream.synchronize()?;
        Ok(micros(start) / f64::from(BATCH))
    })?;
    let by_graph = samples_taken(lab) * BATCH;
    ensure!(counted(&stream, &count)? == by_hand + by_graph, "a node of the graph did not run");

    let skip = WARM_UP as usize;
    lab.row("launch and wait, a kernel").samples("time_us", &alone);
    lab.row("100 in a stream, a kernel").samples("time_us", &queued);
    lab.row("100 in a graph, a kernel").samples("time_us", &replayed);
    lab.row("the host's share, in a stream").samples("time_us", &issued[skip..]);
    lab.row("the host's share, in a graph").samples("time_us", &graph_issued[skip..]);
    lab.row("making the graph, once").value("time_us", made);
    Ok(())
}

fn launch(stream: &CudaStream, tick: &CudaFunction, count: &mut CudaSlice<i32>) -> Result<()> {
    let shape = LaunchConfig { grid_dim: (1, 1, 1), block_dim: (1, 1, 1), shared_mem_bytes: 0 };
    let mut call = stream.launch_builder(tick);
    call.arg(count);
    // SAFETY: `tick` takes (int*) and adds one to the first int, which is there.
    unsafe { call.launch(shape) }?;
    Ok(())
}

/// How often `samples` calls: warming up and recording.
fn samples_taken(lab: &Lab) -> u32 {
    WARM_UP + samples_count(lab)
}

fn counted(stream: &Arc<CudaStream>, count: &CudaSlice<i32>) -> Result<u32> {
    let host = stream.clone_dtoh(count)?;
    stream.synchronize()?;
    Ok(u32::try_from(host[0])?)
}
