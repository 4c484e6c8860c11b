//! The host code that the page shows, on a device.

use anyhow::{Result, ensure};
use ch03_resources::{Limits, twice, twice_2d};
use cudarc::driver::CudaContext;

fn main() -> std::process::ExitCode {
    verify::harness::run_device_tests(&[
        ("host: what the device has", limits_make_sense),
        ("host: blocks of the suggested size, 1-D", twice_is_right),
        ("host: blocks of the suggested size, 2-D", twice_2d_is_right),
    ])
}

fn limits_make_sense() -> Result<()> {
    let limits = Limits::of(&CudaContext::new(0)?)?;
    ensure!(limits.warp == 32, "{limits:?}");
    ensure!(limits.threads_per_multiprocessor >= limits.threads_per_block, "{limits:?}");
    ensure!((32..=64).contains(&limits.warps_per_multiprocessor()), "{limits:?}");
    ensure!(limits.constant == 65536 && limits.multiprocessors > 0, "{limits:?}");
    ensure!(limits.shared_per_block >= 48 * 1024, "{limits:?}");
    ensure!(limits.registers_per_block >= 32768, "{limits:?}");
    Ok(())
}

/// Numbers that doubling does not round.
fn numbers(n: usize) -> Vec<f32> {
    (0..n).map(|i| (i % 1009) as f32 - 500.0).collect()
}

fn is_doubled(got: &[f32]) -> Result<()> {
    for (i, (now, from)) in got.iter().zip(numbers(got.len())).enumerate() {
        ensure!(*now == 2.0 * from, "number {i} of {}: {now}, from {from}", got.len());
    }
    Ok(())
}

fn twice_is_right() -> Result<()> {
    for n in [1, 31, 1023, 1024, 1025, 100_000] {
        let mut data = numbers(n);
        twice(&mut data)?;
        is_doubled(&data)?;
    }
    Ok(())
}

fn twice_2d_is_right() -> Result<()> {
    for (width, height) in [(1, 1), (16, 64), (17, 65), (512, 512), (3, 1000)] {
        let mut data = numbers(width * height);
        twice_2d(&mut data, width as u32)?;
        is_doubled(&data)?;
    }
    Ok(())
}
