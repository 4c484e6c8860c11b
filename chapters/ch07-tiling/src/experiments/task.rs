//! # Naive against tiled
//!
//! A task for readers of old: a 1024 x 1024 product in tiles of 16, naive and tiled, ten runs of
//! each between two events; print the milliseconds, the GFLOP/s and the speed-up. Here it is done
//! several times over, and the first ten runs of each, which load and warm up, are left out.

use anyhow::Result;
use cudarc::driver::{LaunchConfig, PushKernelArg, sys::CUevent_flags};
use verify::experiment::Lab;

const RUNS: u32 = 10;

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let (n, times) = if lab.quick() { (128u32, 2) } else { (1024u32, 30) };
    let stream = lab.context().default_stream();
    let event = || lab.context().new_event(Some(CUevent_flags::CU_EVENT_DEFAULT));
    let (begin, end) = (event()?, event()?);
    let elements = n as usize * n as usize;
    let ones = stream.clone_htod(&vec![1.0f32; elements])?;
    let mut c = stream.alloc_zeros::<f32>(elements)?;
    let shape = LaunchConfig {
        grid_dim: (n.div_ceil(16), n.div_ceil(16), 1),
        block_dim: (16, 16, 1),
        shared_mem_bytes: 0,
    };

    let mut medians = Vec::new();
    for (name, source) in [
        ("naive", include_str!("../../kernels/2_coalesced.cu")),
        ("tiled", include_str!("../../kernels/3_tiled.cu")),
    ] {
        let matmul = lab.compile(source)?.load_function("matmul")?;
        let mut samples = Vec::with_capacity(times);
        for _ in 0..=times {
            begin.record(&stream)?;
            for _ in 0..RUNS {
                let mut call = stream.launch_builder(&matmul);
                call.arg(&ones).arg(&ones).arg(&mut c).arg(&n);
                // SAFETY: `matmul` takes (const float*, const float*, float*, unsigned int) and
                // touches n * n elements of each array: as many as there are.
                unsafe { call.launch(shape) }?;
            }
            end.record(&stream)?;
            samples.push(f64::from(begin.elapsed_ms(&end)?) / f64::from(RUNS));
        }
        samples.remove(0);
        samples.sort_by(f64::total_cmp);
        let median = samples[samples.len() / 2];
        medians.push(median);
        let flops = 2.0 * f64::from(n).powi(3);
        lab.row(name).samples("time_ms", &samples).value("gflops", flops / median / 1e6);
    }
    lab.row("speed-up").value("ratio", medians[0] / medians[1]);
    Ok(())
}
