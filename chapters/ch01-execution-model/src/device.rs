//! What a device says of itself: the notes' device query, in Rust.

use anyhow::{Context as _, Result};
use cudarc::driver::CudaContext;
use cudarc::driver::sys::CUdevice_attribute as Attribute;
use verify::experiment::ensure_libraries;

/// A property, with its unit in its name, and its value as text.
pub type Property = (&'static str, String);

// ANCHOR: query
/// What there is to ask, beside the name, the compute capability and
/// the memory.
const ATTRIBUTES: [(&str, Attribute); 15] = {
    use Attribute::*;
    [
        ("shared memory per block, bytes", CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK),
        ("registers per block", CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK),
        ("warp size, threads", CU_DEVICE_ATTRIBUTE_WARP_SIZE),
        ("threads per block", CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
        ("threads per multiprocessor", CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
        ("multiprocessors", CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
        ("longest block, x", CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
        ("longest grid, x", CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
        ("clock, kHz", CU_DEVICE_ATTRIBUTE_CLOCK_RATE),
        ("memory clock, kHz", CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE),
        ("memory bus, bits", CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH),
        ("L2 cache, bytes", CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE),
        ("concurrent kernels", CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS),
        ("compute mode", CU_DEVICE_ATTRIBUTE_COMPUTE_MODE),
        ("error correction", CU_DEVICE_ATTRIBUTE_ECC_ENABLED),
    ]
};

/// What device `ordinal` says of itself.
///
/// # Errors
/// Without a driver or such a device.
pub fn properties(ordinal: usize) -> Result<Vec<Property>> {
    ensure_libraries()?;
    let device = CudaContext::new(ordinal).context("no such CUDA device")?;
    let (major, minor) = device.compute_capability()?;
    let mut all = vec![
        ("name", device.name()?),
        ("compute capability", format!("{major}.{minor}")),
        ("memory, bytes", device.total_mem()?.to_string()),
    ];
    for (name, attribute) in ATTRIBUTES {
        all.push((name, device.attribute(attribute)?.to_string()));
    }
    Ok(all)
}
// ANCHOR_END: query
