//! The host code that the page shows, on a device: every rung of the product, and a transpose, at
//! sizes that no tile divides.

use anyhow::{Result, ensure};
use ch07_tiling::{PADDED, PRODUCT, product, transpose};

fn main() -> std::process::ExitCode {
    verify::harness::run_device_tests(&[
        ("host: every rung of the product", every_rung),
        ("host: a transpose, there and back", there_and_back),
    ])
}

fn every_rung() -> Result<()> {
    let n = 67usize;
    let a: Vec<f32> = (0..n * n).map(|i| (i * 37 % 101) as f32 / 50.0 - 1.0).collect();
    let b: Vec<f32> = (0..n * n).map(|i| (i * 53 % 89) as f32 / 44.0 - 1.0).collect();
    for rung in &PRODUCT {
        let c = product(rung, &a, &b, n as u32)?;
        for (i, got) in c.iter().enumerate() {
            let (row, col) = (i / n, i % n);
            let wanted: f64 =
                (0..n).map(|k| f64::from(a[row * n + k]) * f64::from(b[k * n + col])).sum();
            ensure!(
                (f64::from(*got) - wanted).abs() < 1e-4,
                "{}: element ({row}, {col}) is {got}, not {wanted}",
                rung.name
            );
        }
    }
    Ok(())
}

fn there_and_back() -> Result<()> {
    let n = 45u32;
    let matrix: Vec<f32> = (0..n * n).map(|i| i as f32).collect();
    let turned = transpose(&PADDED, &matrix, n)?;
    ensure!(turned[1] == matrix[n as usize], "the first row is the first column");
    ensure!(transpose(&PADDED, &turned, n)? == matrix, "twice is not at all");
    Ok(())
}
