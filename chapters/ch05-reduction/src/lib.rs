//! The host's side of chapter 5: a sum on the device, called from Rust.
//!
//! A rung is its source text and the number of ints that a block of it takes. [`sum`] compiles the
//! text when it is called, for whatever device there is, so nothing of CUDA is needed to build
//! this crate. Where the driver or the compiler is missing, that is an error to read, not a crash.
//! [`host`] has the sums that need no device, and [`experiments`] what only a host can measure.

pub mod experiments;
pub mod host;

use anyhow::{Context as _, Result};
use cudarc::driver::{CudaContext, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::compile_ptx;
use verify::experiment::ensure_libraries;

/// Threads a block, on every rung.
pub const THREADS: u32 = 512;

/// One kernel file as the host sees it.
#[derive(Debug, Clone, Copy)]
pub struct Rung {
    /// The file's text.
    pub source: &'static str,
    /// How many ints one block takes.
    pub per_block: u32,
}

// ANCHOR: rungs
/// Interleaved pairs: one partial sum a block, for the host to add.
pub const INTERLEAVED: Rung =
    Rung { source: include_str!("../kernels/3_interleaved.cu"), per_block: 512 };

/// Wide loads in one pass: the last block leaves the whole sum in the first place.
pub const VECTOR: Rung = Rung { source: include_str!("../kernels/7_vector.cu"), per_block: 65536 };
// ANCHOR_END: rungs

// ANCHOR: sum
/// The sum of `data` on device 0, wrapping at 32 bits.
///
/// # Errors
/// Without a driver, a device or NVRTC; where the source does not
/// compile; and where the device refuses.
pub fn sum(rung: &Rung, data: &[i32]) -> Result<i32> {
    if data.is_empty() {
        return Ok(0); // a grid of no blocks is not a launch
    }
    ensure_libraries()?;
    let n = u32::try_from(data.len()).context("more than 2^32 - 1 numbers")?;
    let blocks = n.div_ceil(rung.per_block);

    let device = CudaContext::new(0).context("no CUDA device")?;
    let stream = device.default_stream();
    let module = device.load_module(compile_ptx(rung.source)?)?;
    let reduce = module.load_function("reduce")?;

    let mut numbers = stream.clone_htod(data)?;
    let mut sums = stream.alloc_zeros::<i32>(blocks as usize)?;
    let (grid_dim, block_dim) = ((blocks, 1, 1), (THREADS, 1, 1));
    let shape = LaunchConfig { grid_dim, block_dim, shared_mem_bytes: 0 };
    let mut call = stream.launch_builder(&reduce);
    call.arg(&mut numbers).arg(&mut sums).arg(&n);
    // SAFETY: `reduce` takes (int*, int*, unsigned int). It touches `n`
    // ints of the first array and at most one of the second for each
    // block, and both are that long.
    unsafe { call.launch(shape) }?;

    Ok(stream.clone_dtoh(&sums)?.into_iter().fold(0, i32::wrapping_add))
}
// ANCHOR_END: sum

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_sums_to_zero_without_a_device() {
        assert_eq!(sum(&INTERLEAVED, &[]).unwrap(), 0);
    }

    /// On a machine without a driver the answer is an error, and it says what is missing. (On one
    /// with a GPU, `tests/host.rs` checks the sums.)
    #[test]
    fn a_missing_driver_is_an_error_and_not_a_panic() {
        match sum(&VECTOR, &[1, 2, 3]) {
            Ok(total) => assert_eq!(total, 6),
            Err(e) => assert!(
                ["driver", "NVRTC", "device"].iter().any(|word| format!("{e:#}").contains(word)),
                "{e:#}"
            ),
        }
    }
}
