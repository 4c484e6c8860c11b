//! # A sum on the host and on the device
//!
//! The old program once more: 2^24 pseudo-random bytes as ints, added by one core of the host and
//! by the first three rungs in blocks of 512, all timed by the host's clock. A launch returns at
//! once, so the clock is stopped after the device has been waited for. The old program ran each
//! kernel once; here the first run, which also loads the code, is left out.

use crate::host::{add, add_by_two, old_input, sum_by_halving, sum_serial};
use anyhow::{Result, ensure};
use cudarc::driver::{LaunchConfig, PushKernelArg};
use std::hint::black_box;
use std::time::Instant;
use verify::experiment::Lab;

const RUNGS: [(&str, &str); 3] = [
    ("1_neighbored", include_str!("../../kernels/1_neighbored.cu")),
    ("2_neighbored_less", include_str!("../../kernels/2_neighbored_less.cu")),
    ("3_interleaved", include_str!("../../kernels/3_interleaved.cu")),
];

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let (n, times) = if lab.quick() { (1usize << 16, 2) } else { (1usize << 24, 15) };
    let data = old_input(n);
    let wanted = sum_serial(&data);
    let timed = |work: &mut dyn FnMut()| {
        let begin = Instant::now();
        work();
        begin.elapsed().as_secs_f64() * 1e3
    };

    let mut samples = Vec::new();
    for _ in 0..times {
        samples.push(timed(&mut || {
            black_box(sum_serial(black_box(&data)));
        }));
    }
    lab.row("host, one after the other").samples("time_ms", &samples);

    samples.clear();
    for _ in 0..times {
        let mut scratch = data.clone();
        samples.push(timed(&mut || {
            black_box(sum_by_halving(black_box(&mut scratch)));
        }));
    }
    lab.row("host, by halving").samples("time_ms", &samples);

    let mut target = vec![0; n];
    for (name, work) in [
        ("a loop of additions", add as fn(&mut [i32], &[i32], &[i32])),
        ("the loop by two", add_by_two),
    ] {
        samples.clear();
        for _ in 0..times {
            samples.push(timed(&mut || {
                work(black_box(&mut target), black_box(&data), black_box(&data))
            }));
        }
        lab.row(format!("host, {name}")).samples("time_ms", &samples);
    }

    let stream = lab.context().default_stream();
    let blocks = (n as u32).div_ceil(512);
    let shape =
        LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (512, 1, 1), shared_mem_bytes: 0 };
    let mut numbers = stream.alloc_zeros::<i32>(n)?;
    let mut sums = stream.alloc_zeros::<i32>(blocks as usize)?;
    for (name, source) in RUNGS {
        let reduce = lab.compile(source)?.load_function("reduce")?;
        samples.clear();
        for _ in 0..=times {
            stream.memcpy_htod(&data, &mut numbers)?;
            stream.synchronize()?;
            let begin = Instant::now();
            let mut call = stream.launch_builder(&reduce);
            let count = n as u32;
            call.arg(&mut numbers).arg(&mut sums).arg(&count);
            // SAFETY: `reduce` takes (int*, int*, unsigned int), touches `n` ints of the first
            // array and one of the second for each block: as many as there are.
            unsafe { call.launch(shape) }?;
            stream.synchronize()?;
            samples.push(begin.elapsed().as_secs_f64() * 1e3);
        }
        let got = sum_serial(&stream.clone_dtoh(&sums)?);
        ensure!(got == wanted, "{name}: the device says {got}, the host {wanted}");
        lab.row(format!("device, {name}")).samples("time_ms", &samples[1..]);
    }
    Ok(())
}
