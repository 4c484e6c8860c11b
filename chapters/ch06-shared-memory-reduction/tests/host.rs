//! The host code that the page shows, on a device: the two old programs and what they should have
//! printed, and shared memory whose size the launch decides.

use anyhow::{Result, ensure};
use ch06_shared_memory_reduction::{DYNAMIC, HALVING, MODULO, partial_sums};

fn main() -> std::process::ExitCode {
    verify::harness::run_device_tests(&[
        ("host: remainders, over 0, 1, 2, …", remainders_over_a_ramp),
        ("host: halving, over ones", halving_over_ones),
        ("host: dynamic shared memory", dynamic_shared_memory),
    ])
}

/// 0 + 1 + … + 2047.
fn remainders_over_a_ramp() -> Result<()> {
    let data: Vec<f32> = (0..2048u16).map(f32::from).collect();
    let sums = partial_sums(&MODULO, &data)?;
    ensure!(sums.len() == 4, "four blocks, not {}", sums.len());
    let total: f32 = sums.iter().sum();
    ensure!(total == 2_096_128.0, "the device says {total}");
    Ok(())
}

fn halving_over_ones() -> Result<()> {
    let sums = partial_sums(&HALVING, &[1.0f32; 2048])?;
    ensure!(sums == [512.0; 4], "the device says {sums:?}");
    Ok(())
}

fn dynamic_shared_memory() -> Result<()> {
    for n in [1, 31, 511, 512, 513, 100_003] {
        let data: Vec<i32> = (0..n).map(|i| i * 37 % 1009 - 500).collect();
        let total: i32 = partial_sums(&DYNAMIC, &data)?.iter().sum();
        let wanted: i32 = data.iter().sum();
        ensure!(total == wanted, "n = {n}: the device says {total}, the host {wanted}");
    }
    Ok(())
}
