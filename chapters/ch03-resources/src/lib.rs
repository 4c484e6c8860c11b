//! The host's side of chapter 3: what a device has, what the driver thinks a good block is, and
//! waiting.
//!
//! The driver's answer is the block with the highest *occupancy*, no more. It has not run the kernel
//! and does not know what is fast. The page says what to make of it.

pub mod experiments;

use anyhow::{Context as _, Result, ensure};
use cudarc::driver::sys::CUdevice_attribute as Attribute;
use cudarc::driver::{CudaContext, CudaFunction, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::compile_ptx;
use std::sync::Arc;
use verify::experiment::ensure_libraries;

const TWICE: &str = include_str!("../kernels/9_double.cu");
const TWICE_2D: &str = include_str!("../kernels/10_double_2d.cu");

// ANCHOR: limits
/// What a device has for the warps of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How many multiprocessors it has.
    pub multiprocessors: i32,
    /// Bytes of constant memory.
    pub constant: i32,
    /// Bytes of shared memory a block may use without asking for more.
    pub shared_per_block: i32,
    /// 32-bit registers a block may use.
    pub registers_per_block: i32,
    /// Lanes of a warp.
    pub warp: i32,
    /// Threads a block may have.
    pub threads_per_block: i32,
    /// Threads that are resident on a multiprocessor.
    pub threads_per_multiprocessor: i32,
}

impl Limits {
    /// Asks a device.
    ///
    /// # Errors
    /// Where the driver refuses.
    pub fn of(device: &Arc<CudaContext>) -> Result<Limits> {
        Ok(Limits {
            multiprocessors: device
                .attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            constant: device.attribute(Attribute::CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY)?,
            shared_per_block: device
                .attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)?,
            registers_per_block: device
                .attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK)?,
            warp: device.attribute(Attribute::CU_DEVICE_ATTRIBUTE_WARP_SIZE)?,
            threads_per_block: device
                .attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
            threads_per_multiprocessor: device
                .attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR)?,
        })
    }

    /// Warps that are resident on a multiprocessor: occupancy is a share of them.
    pub fn warps_per_multiprocessor(&self) -> i32 {
        self.threads_per_multiprocessor / self.warp
    }
}
// ANCHOR_END: limits

// ANCHOR: suggest
/// Blocks that fill the device once, and threads per block, for the highest
/// occupancy that `kernel` can have: `cudaOccupancyMaxPotentialBlockSize`.
///
/// # Errors
/// Where the driver refuses.
pub fn suggest(kernel: &CudaFunction) -> Result<(u32, u32)> {
    /// Our kernels use no dynamic shared memory, whatever the block.
    extern "C" fn none(_block: std::ffi::c_int) -> usize {
        0
    }
    let (no_shared, no_limit) = (0, 0);
    Ok(kernel.occupancy_max_potential_block_size(none, no_shared, no_limit, None)?)
}
// ANCHOR_END: suggest

// ANCHOR: twice
/// Each number of `data` times two, on device 0, in blocks of the suggested size.
///
/// # Errors
/// Without a driver, a device or NVRTC, and where the device refuses.
pub fn twice(data: &mut [f32]) -> Result<()> {
    if data.is_empty() {
        return Ok(()); // a grid of no blocks is not a launch
    }
    ensure_libraries()?;
    let n = u32::try_from(data.len()).context("more than 2^32 - 1 numbers")?;
    let device = CudaContext::new(0).context("no CUDA device")?;
    let stream = device.default_stream();
    let kernel = device.load_module(compile_ptx(TWICE)?)?.load_function("twice")?;
    let (_, threads) = suggest(&kernel)?;

    let mut numbers = stream.clone_htod(data)?;
    let (grid_dim, block_dim) = ((n.div_ceil(threads), 1, 1), (threads, 1, 1));
    let shape = LaunchConfig { grid_dim, block_dim, shared_mem_bytes: 0 };
    let mut call = stream.launch_builder(&kernel);
    call.arg(&mut numbers).arg(&n);
    // SAFETY: `twice` takes (float*, unsigned int) and touches n floats.
    unsafe { call.launch(shape) }?; // returns at once
    device.synchronize()?; // returns when the kernel is done
    stream.memcpy_dtoh(&numbers, data)?;
    Ok(())
}
// ANCHOR_END: twice

// ANCHOR: shape
/// Two dimensions for a suggested number of threads: rows of 16, and as many of them
/// as there are threads for.
///
/// The driver knows nothing of rows and columns. It says how many threads, and how to
/// fold them is for you to choose, and to measure.
pub fn fold(threads: u32, width: u32, height: u32) -> LaunchConfig {
    let (x, y) = (threads.min(16), (threads / 16).max(1));
    LaunchConfig {
        grid_dim: (width.div_ceil(x), height.div_ceil(y), 1),
        block_dim: (x, y, 1),
        shared_mem_bytes: 0,
    }
}
// ANCHOR_END: shape

/// Each number of a picture times two, on device 0; `data` has `width` numbers in each row.
///
/// # Errors
/// Where `data` is not made of whole rows; without a driver, a device or NVRTC; and where the device
/// refuses.
pub fn twice_2d(data: &mut [f32], width: u32) -> Result<()> {
    if data.is_empty() {
        return Ok(());
    }
    let columns = width as usize;
    ensure!(
        columns > 0 && data.len().is_multiple_of(columns),
        "{} numbers do not make whole rows of {width}",
        data.len()
    );
    ensure_libraries()?;
    let height = u32::try_from(data.len() / columns).context("more than 2^32 - 1 rows")?;
    let device = CudaContext::new(0).context("no CUDA device")?;
    let stream = device.default_stream();
    let kernel = device.load_module(compile_ptx(TWICE_2D)?)?.load_function("twice")?;
    let (_, threads) = suggest(&kernel)?;

    let mut numbers = stream.clone_htod(data)?;
    let mut call = stream.launch_builder(&kernel);
    call.arg(&mut numbers).arg(&width).arg(&height);
    // SAFETY: `twice` takes (float*, unsigned int, unsigned int) and touches width * height floats.
    unsafe { call.launch(fold(threads, width, height)) }?;
    stream.memcpy_dtoh(&numbers, data)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folded_block_covers_the_picture_and_has_no_thread_too_many() {
        for threads in [1, 15, 16, 32, 48, 256, 768, 1024] {
            for (width, height) in [(1, 1), (512, 512), (17, 1000), (16, 64)] {
                let LaunchConfig { grid_dim, block_dim, .. } = fold(threads, width, height);
                assert!(block_dim.0 * block_dim.1 <= threads);
                assert!(grid_dim.0 * block_dim.0 >= width && grid_dim.1 * block_dim.1 >= height);
                assert!((grid_dim.0 - 1) * block_dim.0 < width, "a column of blocks too many");
                assert!((grid_dim.1 - 1) * block_dim.1 < height, "a row of blocks too many");
            }
        }
    }

    #[test]
    fn rows_must_be_whole() {
        let error = twice_2d(&mut [0.0; 7], 3).unwrap_err().to_string();
        assert!(error.contains("7 numbers do not make whole rows of 3"), "{error}");
        assert!(twice_2d(&mut [0.0; 7], 0).is_err());
    }

    #[test]
    fn a_missing_driver_is_an_error_and_not_a_panic() {
        let mut data = [1.0, 2.0];
        match twice(&mut data) {
            Ok(()) => assert_eq!(data, [2.0, 4.0]),
            Err(e) => assert!(
                ["driver", "NVRTC", "device"].iter().any(|word| format!("{e:#}").contains(word)),
                "{e:#}"
            ),
        }
    }
}
