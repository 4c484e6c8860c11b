//! The host code that the page shows, on a device.

use anyhow::{Result, ensure};
use ch01_execution_model::{add, device};

fn main() -> std::process::ExitCode {
    verify::harness::run_device_tests(&[
        ("host: vector addition", sums_are_right),
        ("host: device query", the_device_answers),
    ])
}

fn sums_are_right() -> Result<()> {
    for n in [1, 31, 32, 33, 255, 256, 257, 1_000_003] {
        let a: Vec<f32> = (0..n).map(|i| (i * 37 % 1009) as f32).collect();
        let b: Vec<f32> = (0..n).map(|i| (i * 91 % 733) as f32).collect();
        let sums = add(&a, &b)?;
        ensure!(sums.len() == a.len());
        for i in 0..a.len() {
            ensure!(sums[i] == a[i] + b[i], "n = {n}: element {i} is {}", sums[i]);
        }
    }
    Ok(())
}

fn the_device_answers() -> Result<()> {
    let properties = device::properties(0)?;
    let value = |name: &str| properties.iter().find(|p| p.0 == name).map(|p| p.1.as_str());
    ensure!(value("warp size, threads") == Some("32"), "{properties:?}");
    ensure!(value("threads per block") == Some("1024"), "{properties:?}");
    ensure!(properties.iter().all(|(_, value)| !value.is_empty()), "{properties:?}");
    Ok(())
}
