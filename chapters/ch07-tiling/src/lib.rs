//! The host's side of chapter 7: a matrix product and a transpose on the device, called from Rust.
//!
//! A [`Rung`] is its source text and the shape of its launch. [`Product`] and [`transpose`] compile
//! the text when they are called, for whatever device there is; where the driver or the compiler is
//! missing, that is an error to read, not a crash. [`experiments`] holds what only a host can
//! measure.

pub mod experiments;

use anyhow::{Context as _, Result, ensure};
use cudarc::driver::{CudaContext, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::compile_ptx;
use verify::experiment::ensure_libraries;

/// One kernel file as the host sees it.
#[derive(Debug, Clone, Copy)]
pub struct Rung {
    /// What the page calls it.
    pub name: &'static str,
    /// The file's text.
    pub source: &'static str,
    /// Rows and columns of the result that a block computes.
    pub tile: u32,
    /// Threads a block, in x and y.
    pub block: (u32, u32),
}

/// Every rung of the matrix product that takes squares, in order.
pub const PRODUCT: [Rung; 9] = [
    Rung {
        name: "1_naive",
        source: include_str!("../kernels/1_naive.cu"),
        tile: 16,
        block: (16, 16),
    },
    Rung {
        name: "2_coalesced",
        source: include_str!("../kernels/2_coalesced.cu"),
        tile: 16,
        block: (16, 16),
    },
    Rung {
        name: "3_tiled",
        source: include_str!("../kernels/3_tiled.cu"),
        tile: 16,
        block: (16, 16),
    },
    Rung {
        name: "4_tiled32",
        source: include_str!("../kernels/4_tiled32.cu"),
        tile: 32,
        block: (32, 32),
    },
    Rung {
        name: "5_column",
        source: include_str!("../kernels/5_column.cu"),
        tile: 64,
        block: (512, 1),
    },
    Rung {
        name: "6_square",
        source: include_str!("../kernels/6_square.cu"),
        tile: 128,
        block: (256, 1),
    },
    Rung {
        name: "7_vector",
        source: include_str!("../kernels/7_vector.cu"),
        tile: 128,
        block: (256, 1),
    },
    Rung {
        name: "8_split",
        source: include_str!("../kernels/8_split.cu"),
        tile: 128,
        block: (256, 1),
    },
    Rung {
        name: "9_prefetch",
        source: include_str!("../kernels/9_prefetch.cu"),
        tile: 128,
        block: (256, 1),
    },
];

/// The transpose through shared memory, padded.
pub const PADDED: Rung = Rung {
    name: "15_padded",
    source: include_str!("../kernels/15_padded.cu"),
    tile: 32,
    block: (32, 32),
};

impl Rung {
    /// The launch for matrices of `n` by `n`.
    #[must_use]
    pub fn shape(&self, n: u32) -> LaunchConfig {
        let tiles = n.div_ceil(self.tile);
        LaunchConfig {
            grid_dim: (tiles, tiles, 1),
            block_dim: (self.block.0, self.block.1, 1),
            shared_mem_bytes: 0,
        }
    }
}

// ANCHOR: product
/// `a` times `b`, both `n` by `n` and row by row, on device 0.
///
/// # Errors
/// Where a matrix has another size than `n * n`; without a driver, a
/// device or NVRTC; where the source does not compile; and where the
/// device refuses.
pub fn product(rung: &Rung, a: &[f32], b: &[f32], n: u32) -> Result<Vec<f32>> {
    let elements = n as usize * n as usize;
    ensure!(a.len() == elements, "a has {} elements, not {elements}", a.len());
    ensure!(b.len() == elements, "b has {} elements, not {elements}", b.len());
    if n == 0 {
        return Ok(Vec::new()); // a grid of no blocks is not a launch
    }
    ensure_libraries()?;
    let device = CudaContext::new(0).context("no CUDA device")?;
    let stream = device.default_stream();
    let module = device.load_module(compile_ptx(rung.source)?)?;
    let matmul = module.load_function("matmul")?;

    let (a, b) = (stream.clone_htod(a)?, stream.clone_htod(b)?);
    let mut c = stream.alloc_zeros::<f32>(elements)?;
    let mut call = stream.launch_builder(&matmul);
    call.arg(&a).arg(&b).arg(&mut c).arg(&n);
    // SAFETY: `matmul` takes (const float*, const float*, float*, unsigned
    // int) and touches n * n elements of each array: as many as there are.
    unsafe { call.launch(rung.shape(n)) }?;
    Ok(stream.clone_dtoh(&c)?)
}
// ANCHOR_END: product

/// `matrix`, `n` by `n` and row by row, with rows and columns exchanged, on device 0.
///
/// # Errors
/// As [`product`].
pub fn transpose(rung: &Rung, matrix: &[f32], n: u32) -> Result<Vec<f32>> {
    let elements = n as usize * n as usize;
    ensure!(matrix.len() == elements, "the matrix has {} elements, not {elements}", matrix.len());
    if n == 0 {
        return Ok(Vec::new());
    }
    ensure_libraries()?;
    let device = CudaContext::new(0).context("no CUDA device")?;
    let stream = device.default_stream();
    let kernel = device.load_module(compile_ptx(rung.source)?)?.load_function("transpose")?;
    let input = stream.clone_htod(matrix)?;
    let mut output = stream.alloc_zeros::<f32>(elements)?;
    let mut call = stream.launch_builder(&kernel);
    call.arg(&input).arg(&mut output).arg(&n);
    // SAFETY: `transpose` takes (const float*, float*, unsigned int) and touches n * n elements of
    // each array: as many as there are.
    unsafe { call.launch(rung.shape(n)) }?;
    Ok(stream.clone_dtoh(&output)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrices_of_the_wrong_size_are_refused_without_a_device() {
        let error = product(&PRODUCT[0], &[1.0; 4], &[1.0; 3], 2).unwrap_err().to_string();
        assert_eq!(error, "b has 3 elements, not 4");
        assert!(transpose(&PADDED, &[1.0; 5], 2).is_err());
        assert_eq!(product(&PRODUCT[0], &[], &[], 0).unwrap(), Vec::<f32>::new());
    }

    #[test]
    fn the_grid_covers_the_matrix() {
        let shape = PRODUCT[5].shape(129);
        assert_eq!((shape.grid_dim, shape.block_dim), ((2, 2, 1), (256, 1, 1)));
    }
}
