//! # The sum of two matrices, timed with and without the copy
//!
//! The notes' table of block shapes, by two clocks: one that stops when the kernel is done, and one
//! that stops, as theirs did, when the result has been copied back.

use anyhow::Result;
use cudarc::driver::{LaunchConfig, PushKernelArg};
use std::time::Instant;
use verify::experiment::Lab;

const SOURCE: &str = include_str!("../../kernels/5_matrix_sum.cu");

/// The shapes of the notes: threads across, threads down.
const SHAPES: [(u32, u32); 4] = [(32, 32), (32, 16), (16, 32), (16, 16)];

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let (side, rounds) = if lab.quick() { (1u32 << 8, 2) } else { (1 << 14, 7) };
    let matrix_sum = lab.compile(SOURCE)?.load_function("matrix_sum")?;
    let stream = lab.context().default_stream();
    let elements = side as usize * side as usize;
    let numbers: Vec<f32> = (0..elements).map(|i| (i % 1000) as f32).collect();
    let a = stream.clone_htod(&numbers)?;
    let b = stream.clone_htod(&numbers)?;
    let mut c = stream.alloc_zeros::<f32>(elements)?;
    let mut back = numbers; // written once already: no page of it is new
    let mut times = SHAPES.map(|shape| (shape, Vec::new(), Vec::new()));
    for round in 0..=rounds {
        for ((x, y), kernel, all) in &mut times {
            stream.synchronize()?;
            let clock = Instant::now();
            let shape = LaunchConfig {
                grid_dim: (side.div_ceil(*x), side.div_ceil(*y), 1),
                block_dim: (*x, *y, 1),
                shared_mem_bytes: 0,
            };
            let mut call = stream.launch_builder(&matrix_sum);
            call.arg(&a).arg(&b).arg(&mut c).arg(&side).arg(&side);
            // SAFETY: `matrix_sum` takes (const float*, const float*, float*, unsigned int,
            // unsigned int), and stays within width * height of each array.
            unsafe { call.launch(shape) }?;
            stream.synchronize()?;
            let done = clock.elapsed().as_secs_f64() * 1e3;
            stream.memcpy_dtoh(&c, &mut back)?;
            stream.synchronize()?;
            if round > 0 {
                kernel.push(done);
                all.push(clock.elapsed().as_secs_f64() * 1e3);
            }
        }
    }
    for ((x, y), kernel, all) in &times {
        lab.row(format!("({x}, {y}): kernel")).samples("time_ms", kernel);
        lab.row(format!("({x}, {y}): kernel and copy")).samples("time_ms", all);
    }
    Ok(())
}
