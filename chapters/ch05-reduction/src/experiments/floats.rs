//! # A sum of floats in five orders
//!
//! Float addition is not associative, so a sum depends on its order. The same numbers between 0 and
//! 1 are added in five orders; each result is held against the sum in double precision. `percent`
//! is how far the first run was off, `count` how many different results all runs gave together.

use anyhow::Result;
use cudarc::driver::{LaunchConfig, PushKernelArg};
use std::collections::BTreeSet;
use verify::experiment::Lab;

const ATOMIC: &str = include_str!("../../kernels/16_float_atomic.cu");
const TWO_PASS: &str = include_str!("../../kernels/17_float_two_pass.cu");

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let (n, times) = if lab.quick() { (1u32 << 16, 3) } else { (1u32 << 24, 200) };
    let data = noise(n as usize);
    let exact: f64 = data.iter().copied().map(f64::from).sum();
    let error = |sum: f32| (f64::from(sum) - exact).abs() / exact * 100.0;

    let serial: f32 = data.iter().sum();
    lab.row("host, one after the other").value("percent", error(serial)).value("count", 1.0);
    let backwards: f32 = data.iter().rev().sum();
    lab.row("host, from the end").value("percent", error(backwards)).value("count", 1.0);
    let pairs = by_halves(&data);
    lab.row("host, by halves").value("percent", error(pairs)).value("count", 1.0);

    let stream = lab.context().default_stream();
    let blocks = n.div_ceil(8192);
    let shape = |grid: u32, block: u32| LaunchConfig {
        grid_dim: (grid, 1, 1),
        block_dim: (block, 1, 1),
        shared_mem_bytes: 0,
    };
    let numbers = stream.clone_htod(&data)?;
    let mut sums = stream.alloc_zeros::<f32>(blocks as usize)?;
    let mut out = stream.alloc_zeros::<f32>(1)?;

    let module = lab.compile(ATOMIC)?;
    let (begin, reduce) = (module.load_function("begin")?, module.load_function("reduce")?);
    let mut results = Vec::new();
    for _ in 0..times {
        // SAFETY: `begin` takes (float*) and writes one float.
        unsafe { stream.launch_builder(&begin).arg(&mut out).launch(shape(1, 1)) }?;
        let mut call = stream.launch_builder(&reduce);
        call.arg(&numbers).arg(&mut out).arg(&n);
        // SAFETY: `reduce` takes (const float*, float*, unsigned int), reads `n` floats of the
        // first array and adds to the only float of the second.
        unsafe { call.launch(shape(blocks, 512)) }?;
        results.push(stream.clone_dtoh(&out)?[0]);
    }
    lab.row("device, float atomics")
        .value("percent", error(results[0]))
        .value("count", distinct(&results));

    let module = lab.compile(TWO_PASS)?;
    let (reduce, finish) = (module.load_function("reduce")?, module.load_function("finish")?);
    results.clear();
    for _ in 0..times {
        let mut call = stream.launch_builder(&reduce);
        call.arg(&numbers).arg(&mut sums).arg(&n);
        // SAFETY: `reduce` takes (const float*, float*, unsigned int), reads `n` floats of the
        // first array and writes one of the second for each block: as many as there are.
        unsafe { call.launch(shape(blocks, 512)) }?;
        let mut call = stream.launch_builder(&finish);
        call.arg(&sums).arg(&mut out).arg(&blocks);
        // SAFETY: `finish` takes (const float*, float*, unsigned int), reads `blocks` floats of
        // the first array and writes the only one of the second.
        unsafe { call.launch(shape(1, 512)) }?;
        results.push(stream.clone_dtoh(&out)?[0]);
    }
    lab.row("device, two passes")
        .value("percent", error(results[0]))
        .value("count", distinct(&results));
    Ok(())
}

/// The sum of both halves' sums.
fn by_halves(data: &[f32]) -> f32 {
    match data {
        [] => 0.0,
        [only] => *only,
        _ => {
            let (first, second) = data.split_at(data.len() / 2);
            by_halves(first) + by_halves(second)
        }
    }
}

/// How many different bit patterns there are.
fn distinct(results: &[f32]) -> f64 {
    results.iter().map(|x| x.to_bits()).collect::<BTreeSet<_>>().len() as f64
}

/// Numbers from 0 to 1.
fn noise(count: usize) -> Vec<f32> {
    let mut state = 12_345u64;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 40) as f32 / (1u64 << 24) as f32
        })
        .collect()
}
