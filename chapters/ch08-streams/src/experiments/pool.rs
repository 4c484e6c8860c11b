//! # The cost of an allocation
//!
//! Memory for a moment: `cudaMalloc` and `cudaFree` (here `cuMemAlloc` and `cuMemFree`, which they
//! call) against a pool that works in the order of a stream.
//!
//! A pool gives its memory back to the system when the host next waits, unless it is told to keep
//! it. So the pool is measured both ways, with a wait in each round, as a program that reads its
//! results has.

use super::common::{ROUNDS, micros, numbers, samples, untracked, work};
use anyhow::Result;
use cudarc::driver::sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
use cudarc::driver::{CudaContext, CudaStream, LaunchConfig, PushKernelArg, result};
use std::ffi::c_void;
use std::sync::Arc;
use std::time::Instant;
use verify::experiment::Lab;

/// Rounds in a sample.
const ROUNDS_EACH: u32 = 10;

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let context = untracked(lab)?;
    let stream = context.new_stream()?;
    for (size, bytes) in [("4 KiB", 4 << 10), ("4 MiB", 4 << 20), ("1 GiB", 1 << 30)] {
        let direct = samples(lab, || per_round(&stream, || direct(&context, bytes)))?;
        lab.row(format!("cudaMalloc and cudaFree, {size}")).samples("time_us", &direct);
    }
    let before = threshold(&context, None)?;
    for (pool, keep) in [("that gives back", 0), ("that keeps", u64::MAX)] {
        threshold(&context, Some(keep))?;
        for (size, bytes) in [("4 KiB", 4 << 10), ("4 MiB", 4 << 20), ("1 GiB", 1 << 30)] {
            let pooled = samples(lab, || per_round(&stream, || pooled(&stream, bytes)))?;
            lab.row(format!("a pool {pool}, {size}")).samples("time_us", &pooled);
        }
    }
    threshold(&context, Some(before))?;

    let (idle, busy) = (free_while(lab, &stream, false)?, free_while(lab, &stream, true)?);
    lab.row("cudaFree, 4 MiB, device idle").samples("time_us", &idle);
    lab.row("cudaFree, 4 MiB, a kernel running").samples("time_us", &busy);
    Ok(())
}

/// Microseconds of one allocation and its return, of many in a row, each with a wait.
fn per_round(stream: &CudaStream, round: impl Fn() -> Result<()>) -> Result<f64> {
    let mut spent = 0.0;
    for _ in 0..ROUNDS_EACH {
        let start = Instant::now();
        round()?;
        stream.synchronize()?;
        spent += micros(start);
    }
    Ok(spent / f64::from(ROUNDS_EACH))
}

fn direct(context: &CudaContext, bytes: usize) -> Result<()> {
    context.bind_to_thread()?;
    // SAFETY: the memory is given back at once, and nobody has seen it.
    unsafe {
        let memory = result::malloc_sync(bytes)?;
        result::free_sync(memory)?;
    }
    Ok(())
}

fn pooled(stream: &CudaStream, bytes: usize) -> Result<()> {
    // SAFETY: the memory is given back at once, in the same stream, and nobody has seen it.
    unsafe {
        let memory = result::malloc_async(stream.cu_stream(), bytes)?;
        result::free_async(memory, stream.cu_stream())?;
    }
    Ok(())
}

/// How many bytes the device's default pool keeps when the host waits, as it was before this sets
/// it.
fn threshold(context: &CudaContext, keep: Option<u64>) -> Result<u64> {
    let mut before = 0_u64;
    // SAFETY: the device is the context's, the pool its default one, and this attribute is a
    // 64-bit number (`cuuint64_t`), as `before` and `keep` are.
    unsafe {
        let pool = result::device::get_default_mem_pool(context.cu_device())?;
        let place = (&raw mut before).cast::<c_void>();
        result::mem_pool::get_attribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, place)?;
        if let Some(mut keep) = keep {
            let place = (&raw mut keep).cast::<c_void>();
            result::mem_pool::set_attribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, place)?;
        }
    }
    Ok(before)
}

/// Microseconds that `cudaFree` takes, with or without a long kernel under way that has nothing to
/// do with that memory.
fn free_while(lab: &Lab, stream: &Arc<CudaStream>, busy: bool) -> Result<Vec<f64>> {
    let n = numbers(lab);
    let work = work(lab)?;
    let mut data = stream.alloc_zeros::<f32>(n)?;
    stream.synchronize()?;
    let (count, rounds) = (u32::try_from(n)?, ROUNDS);
    let (grid_dim, block_dim) = ((count.div_ceil(256), 1, 1), (256, 1, 1));
    samples(lab, || {
        // SAFETY: nobody uses this memory before it is given back below.
        let memory = unsafe { result::malloc_sync(4 << 20) }?;
        if busy {
            let mut call = stream.launch_builder(&work);
            call.arg(&mut data).arg(&count).arg(&rounds);
            // SAFETY: `work` takes (float*, unsigned int, int) and touches `count` floats; there are
            // `n`, which `count` is.
            unsafe { call.launch(LaunchConfig { grid_dim, block_dim, shared_mem_bytes: 0 }) }?;
        }
        let start = Instant::now();
        // SAFETY: it came from `malloc_sync` above and is given back once.
        unsafe { result::free_sync(memory) }?;
        let spent = micros(start);
        stream.synchronize()?;
        Ok(spent)
    })
}
