//! # Latency of a load by memory, in cycles
//!
//! Latencies by pointer chasing: one thread follows a chain through so many bytes.
//!
//! The chain visits one cell in each line of 128 bytes, in a random order that closes to a single
//! circle, so that no prefetcher can guess and no line is met twice in a lap. One whole lap is walked
//! before the clock is read. So a chain that fits into a cache is found there; and of one that does
//! not, each cell is the one that was met longest ago.

use anyhow::Result;
use cudarc::driver::{CudaModule, CudaStream, LaunchConfig, PushKernelArg};
use std::sync::Arc;
use verify::experiment::Lab;

const CHASE: &str = include_str!("../../kernels/1_chase.cu");
const CHASE_SHARED: &str = include_str!("../../kernels/2_chase_shared.cu");

/// Hops that are timed.
const HOPS: u32 = 4096;
/// Cells of eight bytes in a line of 128.
const CELLS_PER_LINE: usize = 16;
const ONE_THREAD: LaunchConfig =
    LaunchConfig { grid_dim: (1, 1, 1), block_dim: (1, 1, 1), shared_mem_bytes: 0 };

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let repeats = if lab.quick() { 1 } else { 7 };
    let stream = lab.context().default_stream();

    let module = lab.compile(CHASE_SHARED)?;
    let samples = in_shared(&stream, &module, repeats)?;
    lab.row("shared memory").x("bytes", 4096.0).samples("cycles", &samples);

    let module = lab.compile(CHASE)?;
    let largest = if lab.quick() { 20 } else { 28 };
    for power in 14..=largest {
        let bytes = 1usize << power;
        let repeats = if power > 25 { repeats.min(3) } else { repeats };
        let samples = in_global(&stream, &module, bytes, repeats)?;
        lab.row(format!("chain of {}", size(bytes)))
            .x("bytes", bytes as f64)
            .samples("cycles", &samples);
    }
    Ok(())
}

/// Cycles a hop in shared memory, once for each repeat.
fn in_shared(
    stream: &Arc<CudaStream>,
    module: &Arc<CudaModule>,
    repeats: usize,
) -> Result<Vec<f64>> {
    let kernel = module.load_function("chase")?;
    let order = stream.clone_htod(&circle(1024, 1))?;
    let mut end = stream.alloc_zeros::<u32>(1)?;
    let mut cycles = stream.alloc_zeros::<i64>(1)?;
    let mut samples = Vec::new();
    for _ in 0..repeats {
        let mut call = stream.launch_builder(&kernel);
        call.arg(&order).arg(&mut end).arg(&mut cycles).arg(&HOPS);
        // SAFETY: (order, end, cycles, hops): 1024 places, one number, one number.
        unsafe { call.launch(ONE_THREAD) }?;
        samples.push(per_hop(stream.clone_dtoh(&cycles)?[0]));
    }
    Ok(samples)
}

/// Cycles a hop along a chain through so many bytes of global memory, once for each repeat.
fn in_global(
    stream: &Arc<CudaStream>,
    module: &Arc<CudaModule>,
    bytes: usize,
    repeats: usize,
) -> Result<Vec<f64>> {
    let (link, chase) = (module.load_function("link")?, module.load_function("chase")?);
    let cells = bytes / 8;
    let count = u32::try_from(cells)?;
    let order = stream.clone_htod(&circle(cells, CELLS_PER_LINE))?;
    let mut chain = stream.alloc_zeros::<u64>(cells)?;
    let grid_dim = (count.div_ceil(256), 1, 1);
    let shape = LaunchConfig { grid_dim, block_dim: (256, 1, 1), shared_mem_bytes: 0 };
    let mut call = stream.launch_builder(&link);
    call.arg(&order).arg(&mut chain).arg(&count);
    // SAFETY: (order, cells, n): both arrays have n elements.
    unsafe { call.launch(shape) }?;

    let lap = count / CELLS_PER_LINE as u32;
    let mut end = stream.alloc_zeros::<u32>(1)?;
    let mut cycles = stream.alloc_zeros::<i64>(1)?;
    let mut samples = Vec::new();
    for _ in 0..repeats {
        let mut call = stream.launch_builder(&chase);
        call.arg(&chain).arg(&mut end).arg(&mut cycles).arg(&lap).arg(&HOPS);
        // SAFETY: (cells, end, cycles, warm, hops): the chain stays within its cells.
        unsafe { call.launch(ONE_THREAD) }?;
        samples.push(per_hop(stream.clone_dtoh(&cycles)?[0]));
    }
    Ok(samples)
}

fn per_hop(cycles: i64) -> f64 {
    cycles as f64 / f64::from(HOPS)
}

/// For each place the next, as one circle through every `step`th of `places` in a random order
/// (Sattolo's shuffle). The places between are not part of it.
fn circle(places: usize, step: usize) -> Vec<u32> {
    let stops = places / step;
    let mut next: Vec<u32> = (0..stops as u32).collect();
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    for last in (1..stops).rev() {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        next.swap(last, (seed >> 33) as usize % last);
    }
    let mut order = vec![0; places];
    for (stop, next) in next.into_iter().enumerate() {
        order[stop * step] = next * step as u32;
    }
    order
}

/// `16 KiB`, `4 MiB`: powers of two only.
fn size(bytes: usize) -> String {
    if bytes < 1 << 20 { format!("{} KiB", bytes >> 10) } else { format!("{} MiB", bytes >> 20) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chain_is_one_circle() {
        for (places, step) in [(1024, 1), (4096, 16), (16, 16)] {
            let order = circle(places, step);
            let (mut at, mut met) = (0usize, 0);
            loop {
                met += 1;
                at = order[at] as usize;
                if at == 0 {
                    break;
                }
            }
            assert_eq!(met, places / step, "{places} places in steps of {step}");
        }
    }

    #[test]
    fn sizes_are_read_as_they_are_said() {
        assert_eq!([size(1 << 14), size(1 << 20), size(1 << 28)], ["16 KiB", "1 MiB", "256 MiB"]);
    }
}
