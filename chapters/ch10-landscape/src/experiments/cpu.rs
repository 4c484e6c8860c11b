//! # The CPU beside the GPU
//!
//! The CPU that the GPU is plugged into: one chain of 65,536 steps, multiply-adds, and copies, with
//! one core and with all that this process may use.

use crate::cpu::{chain, copy, cores, operations, rate};
use anyhow::{Result, ensure};
use std::hint::black_box;
use std::thread;
use std::time::Instant;
use verify::experiment::Lab;

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let (rounds, numbers, count) =
        if lab.quick() { (1 << 8, 1 << 16, 3) } else { (1 << 20, 1 << 27, 15) };
    let cores = cores();
    lab.row("cores that this process may use").value("count", cores as f64);

    let chained = samples(count, || {
        let start = Instant::now();
        black_box(chain(black_box(3.0), 1 << 16));
        start.elapsed().as_secs_f64() * 1e6
    });
    lab.row("one chain of 65,536 steps, one core").samples("time_us", &chained);

    for (name, threads) in [("one core", 1), ("all cores", cores)] {
        let rates = samples(count, || {
            let start = Instant::now();
            thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(|| black_box(rate(black_box(3.0), rounds)));
                }
            });
            threads as f64 * operations(rounds) / start.elapsed().as_secs_f64() / 1e9
        });
        lab.row(format!("multiply and add, {name}")).samples("gflops", &rates);
    }

    let from = vec![1.0_f32; numbers];
    let mut to = vec![0.0_f32; numbers];
    for (name, threads) in [("one core", 1), ("all cores", cores)] {
        let rates = samples(count, || {
            let start = Instant::now();
            copy(&from, &mut to, threads);
            8.0 * numbers as f64 / start.elapsed().as_secs_f64() / 1e9
        });
        lab.row(format!("a copy in memory, {name}")).samples("gbps", &rates);
    }
    ensure!(to == from, "a copy is not what it was copied from");
    Ok(())
}

/// What `once` says, after one time for nothing.
fn samples(count: usize, mut once: impl FnMut() -> f64) -> Vec<f64> {
    once();
    (0..count).map(|_| once()).collect()
}
