//! The host's side of chapter 1: what a device says of itself, a first program from Rust, and the
//! small things around a launch that go wrong on the host.
//!
//! Nothing of CUDA is needed to build this crate. Where the driver or the compiler is missing, the
//! functions that need them return an error that says so.

pub mod device;
pub mod experiments;
pub mod shape;

use anyhow::{Context as _, Result, ensure};
use cudarc::driver::{CudaContext, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::compile_ptx;
use verify::experiment::ensure_libraries;

/// Threads a block.
const THREADS: u32 = 256;

// ANCHOR: add
/// The sums of `a` and `b`, element by element, computed on device 0.
///
/// # Errors
/// Where the lengths differ; without a driver, a device or NVRTC; and
/// where the device refuses.
pub fn add(a: &[f32], b: &[f32]) -> Result<Vec<f32>> {
    ensure!(a.len() == b.len(), "{} numbers and {}", a.len(), b.len());
    if a.is_empty() {
        return Ok(Vec::new()); // a grid of no blocks is not a launch
    }
    ensure_libraries()?;
    let n = u32::try_from(a.len()).context("more than 2^32 - 1 numbers")?;

    let device = CudaContext::new(0).context("no CUDA device")?;
    let stream = device.default_stream();
    let source = include_str!("../kernels/2_vector_add.cu");
    let module = device.load_module(compile_ptx(source)?)?;
    let vector_add = module.load_function("vector_add")?;

    let a = stream.clone_htod(a)?; // allocate there, and copy to it
    let b = stream.clone_htod(b)?;
    let mut c = stream.alloc_zeros::<f32>(n as usize)?;
    let (grid_dim, block_dim) = ((n.div_ceil(THREADS), 1, 1), (THREADS, 1, 1));
    let shape = LaunchConfig { grid_dim, block_dim, shared_mem_bytes: 0 };
    let mut call = stream.launch_builder(&vector_add);
    call.arg(&a).arg(&b).arg(&mut c).arg(&n);
    // SAFETY: `vector_add` takes (const float*, const float*, float*,
    // unsigned int), and touches n floats of each array.
    unsafe { call.launch(shape) }?;

    Ok(stream.clone_dtoh(&c)?) // waits for the kernel
} // and here the arrays are freed
// ANCHOR_END: add

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_needs_no_device_and_lengths_must_agree() {
        assert!(add(&[], &[]).unwrap().is_empty());
        assert_eq!(add(&[1.0], &[]).unwrap_err().to_string(), "1 numbers and 0");
    }

    /// On a machine without a driver the answer is an error, and it says what is missing. (On one
    /// with a GPU, `tests/host.rs` checks the sums.)
    #[test]
    fn a_missing_driver_is_an_error_and_not_a_panic() {
        match add(&[1.0], &[2.0]) {
            Ok(sums) => assert_eq!(sums, [3.0]),
            Err(e) => assert!(
                ["driver", "NVRTC", "device"].iter().any(|word| format!("{e:#}").contains(word)),
                "{e:#}"
            ),
        }
    }

    // ANCHOR: distinct
    /// How many different floats are there among 0, 1, 2, ..., n - 1?
    fn distinct(n: u32) -> usize {
        let mut last = f32::NAN;
        let is_new = |x: &f32| std::mem::replace(&mut last, *x) != *x;
        (0..n).map(|i| i as f32).filter(is_new).count()
    }

    #[test]
    fn a_float_cannot_count_past_two_to_the_24() {
        assert_eq!(distinct(1 << 24), 1 << 24); // all of them
        assert_eq!(distinct(1 << 26), (1 << 25) + 1); // about half
        assert_eq!(16_777_216.0f32, 16_777_217.0f32); // a pair of the others
    }
    // ANCHOR_END: distinct
}
