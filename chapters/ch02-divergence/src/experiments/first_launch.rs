//! # The first and the second launch of three kernels
//!
//! The notes' measurement, and the same in the other order: a block of 64 threads, a host's clock
//! around each launch, once for the first time and once more.
//!
//! A program made by nvcc looks a kernel up in its module when it launches it for the first time, and
//! so the first call here looks it up inside the clock as well. Each round has a module of its own.

use anyhow::Result;
use cudarc::driver::{
    CudaFunction, CudaModule, CudaSlice, CudaStream, LaunchConfig, PushKernelArg,
};
use std::sync::Arc;
use std::time::Instant;
use verify::experiment::Lab;

const SOURCE: &str = r#"
extern "C" __global__ void warm_up(float* c) {}

extern "C" __global__ void by_thread(float* c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0.0f, b = 0.0f;
    if (i % 2 == 0)
        a = 100.0f;
    else
        b = 200.0f;
    c[i] = a + b;
}

extern "C" __global__ void by_warp(float* c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0.0f, b = 0.0f;
    if ((i / warpSize) % 2 == 0)
        a = 100.0f;
    else
        b = 200.0f;
    c[i] = a + b;
}
"#;

/// The orders in which the kernels come: as in the notes, and with the last two exchanged.
const ORDERS: [(&str, [(&str, &str); 3]); 2] = [
    ("as noted", [("warm_up", "warm-up"), ("by_thread", "by thread"), ("by_warp", "by warp")]),
    ("exchanged", [("warm_up", "warm-up"), ("by_warp", "by warp"), ("by_thread", "by thread")]),
];

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let rounds = if lab.quick() { 2 } else { 21 };
    let stream = lab.context().default_stream();
    let mut c = stream.alloc_zeros::<f32>(64)?;
    for (order, kernels) in ORDERS {
        let mut first = kernels.map(|_| Vec::new());
        let mut second = kernels.map(|_| Vec::new());
        for round in 0..rounds {
            // Another text is another module, which has launched nothing yet.
            let module = lab.compile(&format!("{SOURCE}// {order} {round}\n"))?;
            let mut functions = Vec::new();
            for (samples, (name, _)) in first.iter_mut().zip(kernels) {
                let (function, us) = look_up_and_launch(&stream, &module, name, &mut c)?;
                samples.push(us);
                functions.push(function);
            }
            for (samples, function) in second.iter_mut().zip(&functions) {
                samples.push(launch(&stream, function, &mut c)?);
            }
        }
        for (times, samples) in [("first", &first), ("second", &second)] {
            for (samples, (_, label)) in samples.iter().zip(kernels) {
                lab.row(format!("{order}, {times} time: {label}")).samples("time_us", samples);
            }
        }
    }
    Ok(())
}

/// The kernel, and the microseconds that finding it and running it once took.
fn look_up_and_launch(
    stream: &Arc<CudaStream>,
    module: &Arc<CudaModule>,
    name: &str,
    c: &mut CudaSlice<f32>,
) -> Result<(CudaFunction, f64)> {
    stream.synchronize()?;
    let clock = Instant::now();
    let function = module.load_function(name)?;
    launch(stream, &function, c)?;
    Ok((function, clock.elapsed().as_secs_f64() * 1e6))
}

/// The microseconds from before a launch until the kernel is done.
fn launch(
    stream: &Arc<CudaStream>,
    function: &CudaFunction,
    c: &mut CudaSlice<f32>,
) -> Result<f64> {
    stream.synchronize()?;
    let clock = Instant::now();
    let shape = LaunchConfig { grid_dim: (1, 1, 1), block_dim: (64, 1, 1), shared_mem_bytes: 0 };
    let mut call = stream.launch_builder(function);
    call.arg(c);
    // SAFETY: each of the three takes (float*), and writes at most the 64 floats there are.
    unsafe { call.launch(shape) }?;
    stream.synchronize()?;
    Ok(clock.elapsed().as_secs_f64() * 1e6)
}
