//! The host code that the page shows, on a device: both rungs, at sizes that divide by nothing.

use anyhow::{Result, ensure};
use ch05_reduction::host::old_input;
use ch05_reduction::{INTERLEAVED, Rung, VECTOR, sum};

fn main() -> std::process::ExitCode {
    verify::harness::run_device_tests(&[
        ("host: interleaved pairs", || sums_are_right(&INTERLEAVED)),
        ("host: wide loads in one pass", || sums_are_right(&VECTOR)),
        ("host: the sum of the old program", the_sum_of_the_old_program),
    ])
}

fn sums_are_right(rung: &Rung) -> Result<()> {
    for n in [1, 31, 32, 33, 511, 512, 513, 65_537, 1_000_003] {
        let data: Vec<i32> = (0..n).map(|i| i * 37 % 1009 - 500).collect();
        let wanted = data.iter().fold(0i32, |a, b| a.wrapping_add(*b));
        let got = sum(rung, &data)?;
        ensure!(got == wanted, "n = {n}: the device says {got}, the host {wanted}");
    }
    Ok(())
}

fn the_sum_of_the_old_program() -> Result<()> {
    let data = old_input(1 << 24);
    for rung in [&INTERLEAVED, &VECTOR] {
        let got = sum(rung, &data)?;
        ensure!(got == 2_139_353_471, "the device says {got}");
    }
    Ok(())
}
