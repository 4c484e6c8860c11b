//! # Four sums in one program
//!
//! What `nsys stats --report cuda_gpu_kern_sum` prints: for each kernel of a program its share of
//! the GPU's time, how often it ran, and its time. The program is the old one: four sums of the
//! same 2^24 ints, copied to the device anew before each.

use anyhow::Result;
use cudarc::driver::{LaunchConfig, PushKernelArg, sys::CUevent_flags};
use verify::experiment::Lab;

/// Name, source, numbers a block, dynamic shared memory. All have blocks of 128.
const KERNELS: [(&str, &str, u32, u32); 4] = [
    ("1_global", include_str!("../../kernels/1_global.cu"), 128, 0),
    ("2_shared", include_str!("../../kernels/2_shared.cu"), 128, 0),
    ("3_unroll4", include_str!("../../kernels/3_unroll4.cu"), 512, 0),
    ("4_dynamic", include_str!("../../kernels/4_dynamic.cu"), 512, 4 * 128),
];

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let (n, times) = if lab.quick() { (1u32 << 16, 2) } else { (1u32 << 24, 30) };
    let stream = lab.context().default_stream();
    let event = || lab.context().new_event(Some(CUevent_flags::CU_EVENT_DEFAULT));
    let (begin, end) = (event()?, event()?);
    let host: Vec<i32> = (0..n as i32).map(|i| (i * 37) & 0xff).collect();
    let wanted = host.iter().fold(0i32, |a, b| a.wrapping_add(*b));
    let mut numbers = stream.alloc_zeros::<i32>(n as usize)?;
    let mut sums = stream.alloc_zeros::<i32>(n.div_ceil(128) as usize)?;

    let mut all = Vec::new();
    for (name, source, per_block, shared) in KERNELS {
        let reduce = lab.compile(source)?.load_function("reduce")?;
        let blocks = n.div_ceil(per_block);
        let shape = LaunchConfig {
            grid_dim: (blocks, 1, 1),
            block_dim: (128, 1, 1),
            shared_mem_bytes: shared,
        };
        let mut samples = Vec::with_capacity(times);
        for _ in 0..=times {
            stream.memcpy_htod(&host, &mut numbers)?;
            begin.record(&stream)?;
            let mut call = stream.launch_builder(&reduce);
            call.arg(&mut numbers).arg(&mut sums).arg(&n);
            // SAFETY: `reduce` takes (int*, int*, unsigned int), touches `n` ints of the first
            // array and one of the second for each block; there are as many or more.
            unsafe { call.launch(shape) }?;
            end.record(&stream)?;
            samples.push(f64::from(begin.elapsed_ms(&end)?) * 1e3);
        }
        let got = stream.clone_dtoh(&sums)?[..blocks as usize]
            .iter()
            .fold(0i32, |a, b| a.wrapping_add(*b));
        anyhow::ensure!(got == wanted, "{name}: the device says {got}, the host {wanted}");
        samples.remove(0); // loads the module
        all.push((name, samples));
    }

    let total: f64 = all.iter().flat_map(|(_, samples)| samples).sum();
    for (name, samples) in &all {
        let share = samples.iter().sum::<f64>() / total * 100.0;
        lab.row(*name)
            .value("percent", share)
            .value("count", times as f64)
            .samples("time_us", samples);
    }
    Ok(())
}
