//! Matrix multiplication in single precision without tensor cores. See `include/matmul_f32.cuh` for
//! the method.

use super::{Sizes, sizes};
use crate::handle::Kernels;
use crate::handle::device_arg::check_disjoint;
use crate::handle::program::{Program, Source, Value};
use crate::{Error, Shape};
use cudarc::driver::{DevicePtr, DevicePtrMut, LaunchConfig, PushKernelArg};

pub(crate) const SOURCE: Source =
    Source { name: "matmul_f32.cuh", text: include_str!("../../include/matmul_f32.cuh") };

/// Block tile, warp tile, and the arrangement of a warp's threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tiling {
    block: (u32, u32),
    depth: u32,
    stages: u32,
    warp: (u32, u32),
    thread: (u32, u32),
    lanes: (u32, u32),
    /// Minimum blocks per multiprocessor, for `__launch_bounds__`.
    blocks: u32,
}

impl Tiling {
    fn threads(self) -> u32 {
        self.block.0 / self.warp.0 * (self.block.1 / self.warp.1) * 32
    }

    fn shared(self) -> u32 {
        self.stages * self.depth * (self.block.0 + 4 + self.block.1) * 4
    }

    fn tiles(self, sizes: Sizes) -> u64 {
        u64::from(sizes.m.div_ceil(self.block.0)) * u64::from(sizes.n.div_ceil(self.block.1))
    }
}

/// For large products. A long warp tile lets most reads of a be broadcasts.
pub(crate) const LARGE: Tiling = Tiling {
    block: (128, 256),
    depth: 16,
    stages: 3,
    warp: (32, 128),
    thread: (8, 16),
    lanes: (4, 8),
    blocks: 1,
};

/// For small products: more tiles keep all multiprocessors busy.
pub(crate) const SMALL: Tiling = Tiling {
    block: (64, 128),
    depth: 16,
    stages: 3,
    warp: (32, 64),
    thread: (8, 8),
    lanes: (4, 8),
    blocks: 1,
};

pub(crate) fn program(tiling: Tiling, vector: u32) -> Program {
    let constants = [
        ("BM", tiling.block.0),
        ("BN", tiling.block.1),
        ("BK", tiling.depth),
        ("STAGES", tiling.stages),
        ("WM", tiling.warp.0),
        ("WN", tiling.warp.1),
        ("TM", tiling.thread.0),
        ("TN", tiling.thread.1),
        ("LY", tiling.lanes.0),
        ("LX", tiling.lanes.1),
        ("VECTOR", vector),
        ("BAND", 8),
        ("BLOCKS", tiling.blocks),
    ];
    let constants = constants.map(|(name, number)| (name, Value::Number(number)));
    Program { file: SOURCE, entry: "kernels_matmul_f32", constants: constants.to_vec() }
}

/// All of them.
pub(crate) fn programs() -> Vec<Program> {
    [LARGE, SMALL].into_iter().flat_map(|t| [4, 1].map(|v| program(t, v))).collect()
}

/// By the number of tiles: for each of half the multiprocessors one, or small ones.
fn tiling(sizes: Sizes, multiprocessors: u32) -> Tiling {
    if LARGE.tiles(sizes) * 2 > u64::from(multiprocessors) { LARGE } else { SMALL }
}

impl Kernels {
    /// `c` = `a` `b` in single precision (FFMA; no TF32).
    ///
    /// It is fastest where `b` and `c` begin at multiples of 16 bytes, with strides and columns that
    /// are multiples of 4. A product of nothing (no columns of `a`) is zero.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), kernels::Error> {
    /// use kernels::{Kernels, Shape};
    /// let stream = kernels::open(0)?.default_stream();
    /// let kernels = Kernels::new(&stream)?;
    /// let a = stream.clone_htod(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0])?; // 2 x 3
    /// let b = stream.clone_htod(&[1.0f32, 0.0, 1.0])?; // 3 x 1
    /// let mut c = stream.alloc_zeros::<f32>(2)?;
    /// kernels.matmul_f32(&a, Shape::new(2, 3), &b, Shape::new(3, 1), &mut c, Shape::new(2, 1))?;
    /// assert_eq!(stream.clone_dtoh(&c)?, [4.0, 10.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] where shapes do not fit, an array is shorter than its shape, rows overlap,
    /// `c` overlaps an operand, or a side is longer than 2^30; [`Error::Driver`].
    pub fn matmul_f32(
        &self,
        a: &impl DevicePtr<f32>,
        a_shape: Shape,
        b: &impl DevicePtr<f32>,
        b_shape: Shape,
        c: &mut impl DevicePtrMut<f32>,
        c_shape: Shape,
    ) -> Result<(), Error> {
        let sizes = sizes(a_shape, b_shape, c_shape)?;
        let a = self.reads("a", a, a_shape.elements())?;
        let b = self.reads("b", b, b_shape.elements())?;
        let c = self.writes("c", c, c_shape.elements())?;
        check_disjoint(a.span, c.span)?;
        check_disjoint(b.span, c.span)?;
        if c_shape.is_empty() {
            return Ok(());
        }
        let strides = [a_shape.stride, b_shape.stride, c_shape.stride].map(|s| s as u64);
        let aligned = b.span.is_aligned() && c.span.is_aligned() && sizes.n.is_multiple_of(4);
        let aligned = aligned && strides[1..].iter().all(|s| s.is_multiple_of(4));
        let tiling = tiling(sizes, self.device.multiprocessors);
        let blocks = i32::try_from(tiling.tiles(sizes)).map_err(|_| Error::Argument {
            name: "c",
            why: format!("has more than {} tiles of the kernel", i32::MAX),
        })?;
        let function =
            self.function(&program(tiling, if aligned { 4 } else { 1 }), tiling.shared())?;
        let config = LaunchConfig {
            grid_dim: (blocks as u32, 1, 1),
            block_dim: (tiling.threads(), 1, 1),
            shared_mem_bytes: tiling.shared(),
        };
        let mut launch = self.stream.launch_builder(&function);
        launch.arg(&a.span.pointer).arg(&b.span.pointer).arg(&c.span.pointer);
        launch.arg(&sizes.m).arg(&sizes.n).arg(&sizes.k);
        for stride in &strides {
            launch.arg(stride);
        }
        // SAFETY: the kernel takes (const float*, const float*, float*, u32 x 3, u64 x 3) and touches
        // the elements of the three shapes, which the arrays were seen to have.
        unsafe { launch.launch(config) }?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tilings_are_whole() {
        for t in [LARGE, SMALL] {
            let ((wm, wn), (tm, tn), (ly, lx)) = (t.warp, t.thread, t.lanes);
            assert_eq!((tm * ly, tn * lx, ly * lx), (wm, wn, 32));
            assert_eq!((t.block.0 % wm, t.block.1 % wn, t.depth % 8), (0, 0, 0));
            assert!(t.block.0 % (t.threads() / 8) == 0);
        }
    }

    #[test]
    fn little_work_is_spread() {
        let of = |side| tiling(Sizes { m: side, n: side, k: side }, 132);
        assert_eq!(of(256), SMALL);
        assert_eq!(of(1024), SMALL);
        assert_eq!(of(2048), LARGE);
    }

    /// The limit per block of compute capability 8.6.
    #[test]
    fn shared_memory_suffices() {
        assert!(LARGE.shared() <= 99 * 1024 && SMALL.shared() <= 48 * 1024);
    }
}
