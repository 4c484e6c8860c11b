//! The host's side of chapter 4: an array of structs that Rust and CUDA lay out alike, and the
//! experiments that the page shows.
//!
//! A struct that crosses to the device is a promise about bytes: the same fields, in the same order,
//! at the same places. `repr(C)` gives the order and the places of C++, and `align(16)` is what
//! `__align__(16)` says over there. Nothing checks that the two agree but a test, so there is one.

pub mod experiments;

use anyhow::{Context as _, Result};
use cudarc::driver::{CudaContext, DeviceRepr, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::compile_ptx;
use verify::experiment::ensure_libraries;

/// Threads a block.
pub const THREADS: u32 = 256;

const MOMENTS: &str = include_str!("../kernels/10_aos_vector.cu");

// ANCHOR: particle
/// A particle, as `10_aos_vector.cu` has it: 16 bytes, at a multiple of 16.
#[repr(C, align(16))]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Particle {
    pub x: f32,
    pub y: f32,
    pub z: f32,
    pub mass: f32,
}

// SAFETY: four floats and no padding. Any bytes are a particle, and it holds no pointer.
unsafe impl DeviceRepr for Particle {}
// ANCHOR_END: particle

// ANCHOR: moments
/// `mass * (x² + y² + z²)` of each particle, computed on device 0.
///
/// # Errors
/// Without a driver, a device or NVRTC, and where the device refuses.
pub fn moments(particles: &[Particle]) -> Result<Vec<f32>> {
    if particles.is_empty() {
        return Ok(Vec::new()); // a grid of no blocks is not a launch
    }
    ensure_libraries()?;
    let n = u32::try_from(particles.len()).context("more than 2^32 - 1 particles")?;

    let device = CudaContext::new(0).context("no CUDA device")?;
    let stream = device.default_stream();
    let kernel = device.load_module(compile_ptx(MOMENTS)?)?.load_function("moments")?;

    let input = stream.clone_htod(particles)?; // the structs as they are
    let mut output = stream.alloc_zeros::<f32>(particles.len())?;
    let (grid_dim, block_dim) = ((n.div_ceil(THREADS), 1, 1), (THREADS, 1, 1));
    let shape = LaunchConfig { grid_dim, block_dim, shared_mem_bytes: 0 };
    let mut call = stream.launch_builder(&kernel);
    call.arg(&input).arg(&mut output).arg(&n);
    // SAFETY: `moments` takes (const Particle*, float*, unsigned int), reads
    // n particles and writes n floats; both arrays are that long.
    unsafe { call.launch(shape) }?;
    Ok(stream.clone_dtoh(&output)?)
}
// ANCHOR_END: moments

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::{align_of, offset_of, size_of};

    /// What the kernel's `struct __align__(16) Particle` is on the device.
    #[test]
    fn a_particle_lies_as_it_does_on_the_device() {
        assert_eq!((size_of::<Particle>(), align_of::<Particle>()), (16, 16));
        assert_eq!([offset_of!(Particle, y), offset_of!(Particle, z)], [4, 8]);
        assert_eq!(offset_of!(Particle, mass), 12);
        assert!(MOMENTS.contains("struct __align__(16) Particle {\n    float x, y, z, mass;\n};"));
    }

    #[test]
    fn a_missing_driver_is_an_error_and_not_a_panic() {
        match moments(&[Particle { x: 1.0, y: 2.0, z: 3.0, mass: 2.0 }]) {
            Ok(all) => assert_eq!(all, [28.0]),
            Err(e) => assert!(
                ["driver", "NVRTC", "device"].iter().any(|word| format!("{e:#}").contains(word)),
                "{e:#}"
            ),
        }
        assert_eq!(moments(&[]).unwrap(), [0.0f32; 0]);
    }
}
