//! The host's side of chapter 6: sums in shared memory, whose size the kernel or its launch
//! decides.
//!
//! A [`Program`] is a kernel file and the shape of its launch. [`partial_sums`] compiles the text
//! when it is called, for whatever device there is; where the driver or the compiler is missing,
//! that is an error to read, not a crash. [`experiments`] holds what only a host can measure.

pub mod experiments;

use anyhow::{Context as _, Result};
use cudarc::driver::{CudaContext, DeviceRepr, LaunchConfig, PushKernelArg, ValidAsZeroBits};
use cudarc::nvrtc::compile_ptx;
use verify::experiment::ensure_libraries;

/// One kernel file as the host sees it.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    /// The file's text. Its kernel is `reduce(data, out, n)`.
    pub source: &'static str,
    /// Threads a block.
    pub threads: u32,
    /// How many numbers one block takes.
    pub per_block: u32,
    /// Bytes of dynamic shared memory a block.
    pub shared: u32,
}

// ANCHOR: programs
/// Neighbouring pairs, found by a remainder.
pub const MODULO: Program = Program {
    source: include_str!("../kernels/8_modulo.cu"),
    threads: 512,
    per_block: 512,
    shared: 0,
};

/// Partners half a tile apart.
pub const HALVING: Program = Program {
    source: include_str!("../kernels/11_halving.cu"),
    threads: 512,
    per_block: 512,
    shared: 0,
};

/// Four numbers per thread, and a tile whose size the launch decides.
pub const DYNAMIC: Program = Program {
    source: include_str!("../kernels/4_dynamic.cu"),
    threads: 128,
    per_block: 4 * 128,
    shared: 4 * 128,
};
// ANCHOR_END: programs

// ANCHOR: partial_sums
/// One sum for each block of `program`, computed on device 0.
///
/// # Errors
/// Without a driver, a device or NVRTC; where the source does not
/// compile; and where the device refuses.
pub fn partial_sums<T>(program: &Program, data: &[T]) -> Result<Vec<T>>
where
    T: DeviceRepr + ValidAsZeroBits + Clone + Default + Unpin,
{
    if data.is_empty() {
        return Ok(Vec::new()); // a grid of no blocks is not a launch
    }
    ensure_libraries()?;
    let n = u32::try_from(data.len()).context("more than 2^32 - 1 numbers")?;
    let blocks = n.div_ceil(program.per_block); // the grid shrinks, the block does not

    let device = CudaContext::new(0).context("no CUDA device")?;
    let stream = device.default_stream();
    let module = device.load_module(compile_ptx(program.source)?)?;
    let reduce = module.load_function("reduce")?;

    let numbers = stream.clone_htod(data)?;
    let mut sums = stream.alloc_zeros::<T>(blocks as usize)?;
    let shape = LaunchConfig {
        grid_dim: (blocks, 1, 1),
        block_dim: (program.threads, 1, 1),
        shared_mem_bytes: program.shared,
    };
    let mut call = stream.launch_builder(&reduce);
    call.arg(&numbers).arg(&mut sums).arg(&n);
    // SAFETY: `reduce` takes (const T*, T*, unsigned int). It reads `n`
    // numbers of the first array and writes one of the second for each
    // block, and both are that long.
    unsafe { call.launch(shape) }?;

    Ok(stream.clone_dtoh(&sums)?)
}
// ANCHOR_END: partial_sums

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_numbers_make_no_sums_without_a_device() {
        assert_eq!(partial_sums::<f32>(&MODULO, &[]).unwrap(), Vec::<f32>::new());
    }
}
