//! The host code that the page shows, on a device.

use anyhow::{Result, ensure};
use ch04_memory::{Particle, moments};

fn main() -> std::process::ExitCode {
    verify::harness::run_device_tests(&[("host: structs cross as they are", structs_cross)])
}

fn structs_cross() -> Result<()> {
    for n in [1u16, 31, 32, 33, 255, 256, 257, 10_007] {
        let particles: Vec<Particle> = (0..n)
            .map(|i| Particle { x: f32::from(i % 7), y: 2.0, z: f32::from(i % 3), mass: 0.5 })
            .collect();
        let got = moments(&particles)?;
        for (i, (p, got)) in particles.iter().zip(&got).enumerate() {
            // Small integers and halves: exact in whatever order they are added.
            let wanted = p.mass * (p.x * p.x + p.y * p.y + p.z * p.z);
            ensure!(
                *got == wanted,
                "particle {i} of {n}: the device says {got}, the host {wanted}"
            );
        }
        ensure!(got.len() == particles.len(), "{} results for {n} particles", got.len());
    }
    Ok(())
}
