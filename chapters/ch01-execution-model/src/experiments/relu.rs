//! # ReLU with its copies
//!
//! ReLU as a program has it: the numbers go to the device, the kernel runs, the results come back.
//!
//! Each part is timed by the host's clock, and the host waits for its end. The memory of the host is
//! once as `Vec` has it (pageable), and once pinned, which the device can read by itself.

use anyhow::{Result, ensure};
use cudarc::driver::{
    CudaFunction, CudaStream, HostSlice, LaunchConfig, PinnedHostSlice, PushKernelArg,
};
use std::sync::Arc;
use std::time::Instant;
use verify::experiment::Lab;

const SOURCE: &str = include_str!("../../kernels/9_relu.cu");

/// The parts of a round, in milliseconds.
#[derive(Default)]
struct Parts {
    there: Vec<f64>,
    kernel: Vec<f64>,
    back: Vec<f64>,
    whole: Vec<f64>,
    copying: Vec<f64>,
}

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let (n, rounds) = if lab.quick() { (1usize << 16, 3) } else { (1 << 24, 31) };
    let relu = lab.compile(SOURCE)?.load_function("relu")?;
    let stream = lab.context().default_stream();
    let numbers: Vec<f32> = (0..n).map(|i| (i % 100) as f32 - 50.0).collect();

    let mut results = vec![1.0f32; n];
    let parts = time(&stream, &relu, &numbers, &mut results, rounds)?;
    check(&numbers, &results)?;
    report(lab, "pageable", &parts);

    // SAFETY: both are written before they are read.
    let (mut from, mut to): (PinnedHostSlice<f32>, PinnedHostSlice<f32>) = unsafe {
        let context = lab.context();
        (context.alloc_pinned_with_flags(n, 0)?, context.alloc_pinned_with_flags(n, 0)?)
    };
    from.as_mut_slice()?.copy_from_slice(&numbers);
    to.as_mut_slice()?.fill(1.0);
    let parts = time(&stream, &relu, &from, &mut to, rounds)?;
    check(&numbers, to.as_slice()?)?;
    report(lab, "pinned", &parts);
    Ok(())
}

/// Rounds of the whole way; the first one warms up and does not count.
fn time<H: HostSlice<f32>>(
    stream: &Arc<CudaStream>,
    relu: &CudaFunction,
    from: &H,
    to: &mut H,
    rounds: usize,
) -> Result<Parts> {
    let n = from.len() as u32;
    let mut input = stream.alloc_zeros::<f32>(from.len())?;
    let mut output = stream.alloc_zeros::<f32>(from.len())?;
    let (grid_dim, block_dim) = ((n.div_ceil(256), 1, 1), (256, 1, 1));
    let shape = LaunchConfig { grid_dim, block_dim, shared_mem_bytes: 0 };
    let mut parts = Parts::default();
    for round in 0..=rounds {
        stream.synchronize()?;
        let clock = Instant::now();
        stream.memcpy_htod(from, &mut input)?;
        stream.synchronize()?;
        let there = clock.elapsed().as_secs_f64() * 1e3;
        let mut call = stream.launch_builder(relu);
        call.arg(&input).arg(&mut output).arg(&n);
        // SAFETY: `relu` takes (const float*, float*, unsigned int) and touches n floats of each.
        unsafe { call.launch(shape) }?;
        stream.synchronize()?;
        let kernel = clock.elapsed().as_secs_f64() * 1e3 - there;
        stream.memcpy_dtoh(&output, to)?;
        stream.synchronize()?;
        let whole = clock.elapsed().as_secs_f64() * 1e3;
        if round > 0 {
            parts.there.push(there);
            parts.kernel.push(kernel);
            parts.back.push(whole - there - kernel);
            parts.whole.push(whole);
            parts.copying.push((whole - kernel) / whole * 100.0);
        }
    }
    Ok(parts)
}

fn check(numbers: &[f32], results: &[f32]) -> Result<()> {
    let wrong = numbers.iter().zip(results).filter(|(x, y)| x.max(0.0) != **y).count();
    ensure!(wrong == 0, "{wrong} of {} results are wrong", numbers.len());
    Ok(())
}

fn report(lab: &mut Lab, memory: &str, parts: &Parts) {
    lab.row(format!("{memory}: copy there")).samples("time_ms", &parts.there);
    lab.row(format!("{memory}: kernel")).samples("time_ms", &parts.kernel);
    lab.row(format!("{memory}: copy back")).samples("time_ms", &parts.back);
    lab.row(format!("{memory}: whole")).samples("time_ms", &parts.whole);
    lab.row(format!("{memory}: share of the copies")).samples("percent", &parts.copying);
}
