//! The host's side of chapter 12: every rung with the shape of its launch, a tensor map made in
//! Rust, and what is needed to run the rungs against the library `kernels` and cuBLAS in turns.
//!
//! [`experiments`] hold the contests.

pub mod contest;
pub mod experiments;

use anyhow::{Context as _, Result, ensure};
use cudarc::driver::{
    CudaFunction, CudaModule, CudaStream, DeviceRepr, LaunchConfig, PushKernelArg, sys,
};
use std::mem::MaybeUninit;
use std::sync::Arc;

/// One kernel file as the host sees it.
#[derive(Debug, Clone, Copy)]
pub struct Rung {
    /// What the page calls it.
    pub name: &'static str,
    /// The file's text.
    pub source: &'static str,
    /// Rows and columns of the product that a block computes.
    pub tile: (u32, u32),
    /// Threads a block.
    pub threads: u32,
    /// Bytes of dynamic shared memory.
    pub shared: u32,
    /// Blocks at most, where they stay and go from tile to tile.
    pub resident: Option<u32>,
    /// Whether it takes its factors as tensor maps.
    pub maps: bool,
}

/// Bytes of a step of the rungs with tensor maps.
const STEP: u32 = (128 + 256) * 64 * 2;

impl Rung {
    const fn plain(name: &'static str, source: &'static str, threads: u32, shared: u32) -> Rung {
        Rung { name, source, tile: (128, 128), threads, shared, resident: None, maps: false }
    }

    const fn mapped(name: &'static str, source: &'static str, threads: u32, shared: u32) -> Rung {
        Rung { name, source, tile: (128, 256), threads, shared, resident: None, maps: true }
    }

    /// The launch for matrices of `side` by `side`, whole tiles.
    #[must_use]
    pub fn shape(&self, side: u32) -> LaunchConfig {
        let (down, across) = (side / self.tile.0, side / self.tile.1);
        let grid_dim = match self.resident {
            Some(most) => (most.min(down * across), 1, 1),
            None => (across, down, 1),
        };
        LaunchConfig { grid_dim, block_dim: (self.threads, 1, 1), shared_mem_bytes: self.shared }
    }

    /// Its kernel of a loaded module.
    ///
    /// # Errors
    /// Where it is not there, or the device has less shared memory for a block.
    pub fn function(&self, module: &Arc<CudaModule>) -> Result<CudaFunction> {
        let function = module.load_function("matmul")?;
        if self.shared > 48 * 1024 {
            let most = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            function
                .set_attribute(most, self.shared as i32)
                .with_context(|| format!("{} takes {} bytes", self.name, self.shared))?;
        }
        Ok(function)
    }
}

/// The rungs in single precision that take (a, b, c, side).
pub const SINGLE: [Rung; 5] = [
    Rung::plain("1_square", include_str!("../kernels/1_square.cu"), 256, 0),
    Rung::plain("2_vector", include_str!("../kernels/2_vector.cu"), 256, 0),
    Rung::plain("3_warps", include_str!("../kernels/3_warps.cu"), 256, 0),
    Rung::plain("4_two_buffers", include_str!("../kernels/4_two_buffers.cu"), 256, 0),
    Rung::plain("5_async", include_str!("../kernels/5_async.cu"), 256, 0),
];

/// The rungs on the tensor cores that take (a, b, c, side), a and b perhaps as maps.
pub const HALF: [Rung; 6] = [
    Rung::plain("7_wmma", include_str!("../kernels/7_wmma.cu"), 256, 0),
    Rung::plain("8_mma", include_str!("../kernels/8_mma.cu"), 128, 3 * 256 * 128),
    Rung::mapped("9_wgmma", include_str!("../kernels/9_wgmma.cu"), 256, STEP + 8),
    Rung::mapped("10_pipelined", include_str!("../kernels/10_pipelined.cu"), 384, 4 * (STEP + 16)),
    Rung {
        resident: Some(132),
        ..Rung::mapped(
            "11_persistent",
            include_str!("../kernels/11_persistent.cu"),
            384,
            4 * (STEP + 16),
        )
    },
    Rung {
        resident: Some(132),
        ..Rung::mapped("12_cluster", include_str!("../kernels/12_cluster.cu"), 384, 4 * (STEP + 16))
    },
];

// ANCHOR: map
/// What the TMA is told of a matrix of 16-bit floats.
#[repr(transparent)]
#[derive(Debug, Clone, Copy)]
pub struct TensorMap(sys::CUtensorMap);

// SAFETY: plain bytes, as many as the kernels' parameter has.
unsafe impl DeviceRepr for TensorMap {}

impl TensorMap {
    /// Boxes of `rows` by 64 columns, swizzled in rows of 128 bytes, of a
    /// matrix of `side` by `side` bfloats that lies at `pointer`.
    ///
    /// # Errors
    /// Where the driver refuses: a side that is no multiple of 8, a box of
    /// more than 256 rows, a matrix that is not aligned to 16 bytes.
    pub fn new(pointer: u64, side: u32, rows: u32) -> Result<TensorMap> {
        let sizes = [u64::from(side); 2]; // columns first
        let stride = [u64::from(side) * 2]; // bytes from row to row
        let mut map = MaybeUninit::<sys::CUtensorMap>::zeroed();
        // SAFETY: every pointer is to as many numbers as there are axes;
        // nothing is read through the matrix's.
        unsafe {
            sys::cuTensorMapEncodeTiled(
                map.as_mut_ptr(),
                sys::CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
                2,
                pointer as *mut _,
                sizes.as_ptr(),
                stride.as_ptr(),
                [64, rows].as_ptr(),
                [1, 1].as_ptr(),
                sys::CUtensorMapInterleave::CU_TENSOR_MAP_INTERLEAVE_NONE,
                sys::CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_128B,
                sys::CUtensorMapL2promotion::CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                sys::CUtensorMapFloatOOBfill::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
            )
            .result()?;
            Ok(TensorMap(map.assume_init()))
        }
    }
}
// ANCHOR_END: map

/// Queues c = a b for matrices at these addresses.
///
/// # Errors
/// Where `side` is not whole tiles, a map cannot be made, or the driver refuses.
pub fn launch(
    rung: &Rung,
    function: &CudaFunction,
    stream: &CudaStream,
    [a, b, c]: [u64; 3],
    side: u32,
) -> Result<()> {
    let whole = side.is_multiple_of(rung.tile.0.max(rung.tile.1)) && side > 0;
    ensure!(whole, "{} takes whole tiles, and no sides of {side}", rung.name);
    let mut call = stream.launch_builder(function);
    let maps;
    if rung.maps {
        maps = [TensorMap::new(a, side, 128)?, TensorMap::new(b, side, 64)?];
        call.arg(&maps[0]).arg(&maps[1]);
    } else {
        call.arg(&a).arg(&b);
    }
    call.arg(&c).arg(&side);
    // SAFETY: `matmul` takes two pointers or two maps, a pointer and an unsigned int, and touches
    // `side` times `side` elements of each; the caller's matrices have as many.
    unsafe { call.launch(rung.shape(side)) }?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_stay_are_no_more_than_there_are_tiles() {
        assert_eq!(HALF[3].shape(4096).grid_dim, (16, 32, 1));
        assert_eq!(HALF[4].shape(4096).grid_dim, (132, 1, 1));
        assert_eq!(HALF[4].shape(512).grid_dim, (8, 1, 1));
    }

    #[test]
    fn the_shapes_are_those_of_the_files() {
        for rung in SINGLE.iter().chain(&HALF) {
            let launch = rung.source.lines().find(|l| l.starts_with("//@ launch")).unwrap();
            assert!(launch.contains(&format!("block = {}", rung.threads)), "{}", rung.name);
            assert_eq!(launch.contains("shared"), rung.shared > 0, "{}", rung.name);
            assert_eq!(launch.contains("(am, bm, c, m)"), rung.maps, "{}", rung.name);
        }
    }
}
