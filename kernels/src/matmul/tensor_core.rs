//! Matrix multiplication of 16-bit floats on tensor cores.
//!
//! On Hopper (compute capability 9.0) bulk tensor copies load the tiles and `wgmma` multiplies them:
//! `include/matmul_hopper.cuh`. Elsewhere `cp.async` loads and `mma.sync` multiplies:
//! `include/matmul_ampere.cuh`. Both need rows of a and b aligned to 16 bytes. Other matrices are first
//! copied to padded rows in memory from the device's pool, which costs one pass over the matrix.

use super::{Half, Sizes, sizes};
use crate::handle::device_arg::{DeviceArg, alloc_for, check_disjoint};
use crate::handle::program::{Program, Source, Value};
use crate::handle::{Device, Kernels};
use crate::{Error, Shape};
use cudarc::driver::{
    CudaSlice, DevicePtr, DevicePtrMut, DeviceRepr, LaunchConfig, PushKernelArg, sys,
};
use std::mem::MaybeUninit;

const HOPPER: Source =
    Source { name: "matmul_hopper.cuh", text: include_str!("../../include/matmul_hopper.cuh") };
const AMPERE: Source =
    Source { name: "matmul_ampere.cuh", text: include_str!("../../include/matmul_ampere.cuh") };
const PAD: Source = Source { name: "pad.cuh", text: include_str!("../../include/pad.cuh") };

/// The tiling of the Hopper kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HopperTiling {
    /// Columns per tile; a tile has 128 rows.
    pub(crate) columns: u32,
    pub(crate) stages: u32,
    /// Blocks per cluster; they share tiles of b by multicast.
    pub(crate) cluster: u32,
    /// Whether c's rows are whole pieces of 16 bytes, as bulk tensor stores write them.
    pub(crate) bulk: bool,
}

const ROWS: u32 = 128;
const DEPTH: u32 = 64;
const CHUNKS: u32 = 2;

impl HopperTiling {
    /// Tiles of 256 columns reuse the most; tiles of 128 where there would be too few.
    fn of(sizes: Sizes, multiprocessors: u32, bulk: bool) -> HopperTiling {
        let tiles =
            |columns| u64::from(sizes.m.div_ceil(ROWS)) * u64::from(sizes.n.div_ceil(columns));
        let most = u64::from(multiprocessors);
        if tiles(256) * 2 <= most {
            return HopperTiling { columns: 128, stages: 6, cluster: 1, bulk };
        }
        let cluster = if tiles(256) > most && multiprocessors.is_multiple_of(2) { 2 } else { 1 };
        HopperTiling { columns: 256, stages: 4, cluster, bulk }
    }

    fn shared(self) -> u32 {
        let stage = (ROWS + self.columns) * DEPTH * 2;
        let stored = if self.bulk { ROWS / 64 * CHUNKS * 64 * 128 } else { 0 };
        self.stages * (stage + 16) + stored
    }
}

/// The program for Hopper.
pub(crate) fn hopper(kind: &'static str, tiling: HopperTiling) -> Program {
    let kind = if kind == "bf16" { "\"bf16\"" } else { "\"f16\"" };
    let constants = vec![
        ("TYPE", Value::Token(kind)),
        ("BM", Value::Number(ROWS)),
        ("BN", Value::Number(tiling.columns)),
        ("STAGES", Value::Number(tiling.stages)),
        ("CLUSTER", Value::Number(tiling.cluster)),
        ("CHUNKS", Value::Number(CHUNKS)),
        ("TMA_STORE", Value::Number(u32::from(tiling.bulk))),
        ("BAND", Value::Number(if tiling.cluster == 1 { 16 } else { 8 })),
    ];
    Program { file: HOPPER, entry: "kernels_matmul_16", constants }
}

/// The tiling of the Ampere kernel: block tile, depth per stage, stages in flight, warp tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AmpereTiling {
    block: (u32, u32),
    depth: u32,
    stages: u32,
    warp: (u32, u32),
}

/// For 144 KiB of shared memory per block (8.0, 9.0, 10.0), and for less.
const DEEP: AmpereTiling = AmpereTiling { block: (128, 256), depth: 64, stages: 3, warp: (64, 64) };
const SHALLOW: AmpereTiling =
    AmpereTiling { block: (128, 128), depth: 32, stages: 4, warp: (64, 64) };

impl AmpereTiling {
    /// The largest tiles that shared memory and the number of multiprocessors allow.
    fn of(sizes: Sizes, multiprocessors: u32, shared_per_block: u32) -> AmpereTiling {
        let fits = DEEP.shared() <= shared_per_block;
        let many = DEEP.tiles(sizes) * 2 > u64::from(multiprocessors);
        if fits && many { DEEP } else { SHALLOW }
    }

    fn threads(self) -> u32 {
        self.block.0 / self.warp.0 * (self.block.1 / self.warp.1) * 32
    }

    fn shared(self) -> u32 {
        self.stages * self.depth * (self.block.0 + self.block.1) * 2
    }

    fn tiles(self, sizes: Sizes) -> u64 {
        u64::from(sizes.m.div_ceil(self.block.0)) * u64::from(sizes.n.div_ceil(self.block.1))
    }
}

/// The program for every device.
pub(crate) fn ampere(kind: &'static str, shape: AmpereTiling) -> Program {
    let quoted = if kind == "bf16" { "\"bf16\"" } else { "\"f16\"" };
    let constants = vec![
        ("TYPE", Value::Token(quoted)),
        ("BM", Value::Number(shape.block.0)),
        ("BN", Value::Number(shape.block.1)),
        ("BK", Value::Number(shape.depth)),
        ("STAGES", Value::Number(shape.stages)),
        ("WM", Value::Number(shape.warp.0)),
        ("WN", Value::Number(shape.warp.1)),
        ("BAND", Value::Number(8)),
    ];
    Program { file: AMPERE, entry: "kernels_matmul_16_sync", constants }
}

/// Every Ampere program.
pub(crate) fn ampere_programs() -> Vec<Program> {
    [DEEP, SHALLOW].into_iter().flat_map(|s| ["bf16", "f16"].map(|kind| ampere(kind, s))).collect()
}

/// The program that copies a matrix to padded rows.
pub(crate) fn pad() -> Program {
    Program { file: PAD, entry: "kernels_pad", constants: Vec::new() }
}

/// An operand with rows aligned to 16 bytes.
struct Operand {
    pointer: u64,
    shape: Shape,
    /// The padded copy, if there is one: freed in stream order.
    _padded: Option<CudaSlice<u16>>,
}

/// The tensor map (descriptor) of a matrix for bulk tensor copies.
#[repr(transparent)]
struct TensorMap(sys::CUtensorMap);

// SAFETY: plain bytes, as large and as aligned as the kernels' parameter.
unsafe impl DeviceRepr for TensorMap {}

impl TensorMap {
    /// Boxes of `rows` x 64 columns of a matrix, swizzled.
    fn new(pointer: u64, shape: Shape, rows: u32) -> Result<TensorMap, Error> {
        let mut map = MaybeUninit::<sys::CUtensorMap>::zeroed();
        let sizes = [shape.columns.max(1) as u64, shape.rows.max(1) as u64];
        let stride = [shape.stride as u64 * 2];
        // SAFETY: all pointers are to live arrays of the rank's length; the driver checks the rest.
        unsafe {
            sys::cuTensorMapEncodeTiled(
                map.as_mut_ptr(),
                sys::CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_UINT16,
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

impl Kernels {
    /// `c` = `a` `b` of bf16 or f16, multiplied on the tensor cores, added up in single precision and
    /// rounded once.
    ///
    /// It is fastest where all three begin at multiples of 16 bytes with strides that are multiples
    /// of 8; otherwise `a` or `b` is copied first. With k = 0 the result is zero.
    ///
    /// # Errors
    /// [`Error::Argument`] where shapes do not fit, an array is shorter than its shape, rows overlap,
    /// `c` overlaps an operand, or a side is longer than 2^30; [`Error::Memory`] where there is no
    /// room for a copy; [`Error::Driver`].
    pub fn matmul_16<T: Half>(
        &self,
        a: &impl DevicePtr<T>,
        a_shape: Shape,
        b: &impl DevicePtr<T>,
        b_shape: Shape,
        c: &mut impl DevicePtrMut<T>,
        c_shape: Shape,
    ) -> Result<(), Error> {
        self.multiply(self.device.is_hopper(), (a, a_shape), (b, b_shape), (c, c_shape))
    }

    /// The same by `mma.sync` on any device: the baseline for Hopper's kernel.
    ///
    /// # Errors
    /// As [`Kernels::matmul_16`].
    pub fn matmul_16_sync<T: Half>(
        &self,
        a: &impl DevicePtr<T>,
        a_shape: Shape,
        b: &impl DevicePtr<T>,
        b_shape: Shape,
        c: &mut impl DevicePtrMut<T>,
        c_shape: Shape,
    ) -> Result<(), Error> {
        self.multiply(false, (a, a_shape), (b, b_shape), (c, c_shape))
    }

    /// The product by Hopper's kernel, or by the one for every device.
    fn multiply<T: Half>(
        &self,
        hopper: bool,
        (a, a_shape): (&impl DevicePtr<T>, Shape),
        (b, b_shape): (&impl DevicePtr<T>, Shape),
        (c, c_shape): (&mut impl DevicePtrMut<T>, Shape),
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
        if sizes.k == 0 {
            return self.zero(&c, c_shape);
        }
        let a = self.operand(&a, a_shape)?;
        let b = self.operand(&b, b_shape)?;
        match hopper {
            true => self.launch_hopper(T::NAME, sizes, &a, &b, &c, c_shape),
            false => self.launch_ampere(T::NAME, sizes, &a, &b, &c, c_shape),
        }
    }

    /// Zeroes the elements of a matrix but not its padding.
    fn zero(&self, c: &DeviceArg<'_>, shape: Shape) -> Result<(), Error> {
        // SAFETY: the elements were seen to be there.
        unsafe {
            sys::cuMemsetD2D16Async(
                c.span.pointer,
                shape.stride * 2,
                0,
                shape.columns,
                shape.rows,
                self.stream.cu_stream(),
            )
            .result()?;
        }
        Ok(())
    }

    /// The operand itself, or a copy with padded rows.
    fn operand(&self, x: &DeviceArg<'_>, shape: Shape) -> Result<Operand, Error> {
        // A single row needs no stride, but the tensor copies do.
        let whole = shape.stride.is_multiple_of(8) && shape.stride >= shape.columns;
        if (x.span.is_aligned() && whole) || shape.is_empty() {
            return Ok(Operand { pointer: x.span.pointer, shape, _padded: None });
        }
        let stride = shape.columns.next_multiple_of(8);
        let pieces = (stride / 8).checked_mul(shape.rows);
        let blocks = pieces.and_then(|p| i32::try_from(p.div_ceil(256)).ok());
        let blocks = blocks.ok_or_else(|| Error::Argument {
            name: x.span.name,
            why: format!(
                "is not aligned to 16 bytes and has {} rows, too many to copy to padded \
                 rows",
                shape.rows
            ),
        })?;
        // SAFETY: the kernel below writes all of it.
        let padded = unsafe {
            alloc_for::<u16>(&self.stream, x.span.name, stride.saturating_mul(shape.rows))
        }?;
        let function = self.function(&pad(), 0)?;
        let config = LaunchConfig {
            grid_dim: (blocks as u32, 1, 1),
            block_dim: (256, 1, 1),
            shared_mem_bytes: 0,
        };
        let (rows, columns, from_stride) =
            (shape.rows as u64, shape.columns as u32, shape.stride as u64);
        let pointer = {
            let (pointer, _writes) = padded.device_ptr(&self.stream);
            let mut launch = self.stream.launch_builder(&function);
            launch.arg(&x.span.pointer).arg(&pointer).arg(&rows).arg(&columns).arg(&from_stride);
            // SAFETY: the kernel takes (const u16*, Vector*, u64, u32, u64), reads the elements of
            // the shape and writes as many rows of whole vectors.
            unsafe { launch.launch(config) }?;
            pointer
        };
        Ok(Operand { pointer, shape: shape.strided(stride), _padded: Some(padded) })
    }

    fn launch_hopper(
        &self,
        kind: &'static str,
        sizes: Sizes,
        a: &Operand,
        b: &Operand,
        c: &DeviceArg<'_>,
        c_shape: Shape,
    ) -> Result<(), Error> {
        // A bulk store ends each row with a whole piece of 16 bytes, also behind the last column.
        let bulk = c.span.is_aligned()
            && c_shape.stride.is_multiple_of(8)
            && c_shape.columns.is_multiple_of(8)
            && c_shape.stride >= c_shape.columns;
        let multiprocessors = self.device.multiprocessors;
        let tiling = HopperTiling::of(sizes, multiprocessors, bulk);
        let function = self.function(&hopper(kind, tiling), tiling.shared())?;
        let a_map = TensorMap::new(a.pointer, a.shape, ROWS)?;
        let b_map = TensorMap::new(b.pointer, b.shape, DEPTH)?;
        // Where it is not used, any map will do.
        let c_map = match bulk {
            true => TensorMap::new(c.span.pointer, c_shape, 64)?,
            false => TensorMap::new(a.pointer, a.shape, ROWS)?,
        };
        let tiles = u64::from(sizes.m.div_ceil(ROWS * tiling.cluster))
            * u64::from(sizes.n.div_ceil(tiling.columns));
        let clusters = tiles.min(u64::from(multiprocessors / tiling.cluster)) as u32;
        let config = LaunchConfig {
            grid_dim: (clusters * tiling.cluster, 1, 1),
            block_dim: ((ROWS / 64 + 1) * 128, 1, 1),
            shared_mem_bytes: tiling.shared(),
        };
        let stride = c_shape.stride as u64;
        let mut launch = self.stream.launch_builder(&function);
        launch.arg(&a_map).arg(&b_map).arg(&c_map).arg(&c.span.pointer).arg(&stride);
        launch.arg(&sizes.m).arg(&sizes.n).arg(&sizes.k);
        // SAFETY: the kernel takes (TensorMap x 3, u16*, u64, u32 x 3). What it reads and writes is
        // within the maps, which are those of the shapes; without the bulk copy it writes the
        // elements of c's shape.
        unsafe { launch.launch(config) }?;
        Ok(())
    }

    fn launch_ampere(
        &self,
        kind: &'static str,
        sizes: Sizes,
        a: &Operand,
        b: &Operand,
        c: &DeviceArg<'_>,
        c_shape: Shape,
    ) -> Result<(), Error> {
        let Device { multiprocessors, shared_per_block, .. } = self.device;
        let shape = AmpereTiling::of(sizes, multiprocessors, shared_per_block);
        let blocks = i32::try_from(shape.tiles(sizes)).map_err(|_| Error::Argument {
            name: "c",
            why: format!("has more than {} tiles of the kernel", i32::MAX),
        })?;
        let function = self.function(&ampere(kind, shape), shape.shared())?;
        let config = LaunchConfig {
            grid_dim: (blocks as u32, 1, 1),
            block_dim: (shape.threads(), 1, 1),
            shared_mem_bytes: shape.shared(),
        };
        let strides = [a.shape.stride, b.shape.stride, c_shape.stride].map(|s| s as u64);
        let mut launch = self.stream.launch_builder(&function);
        launch.arg(&a.pointer).arg(&b.pointer).arg(&c.span.pointer);
        launch.arg(&sizes.m).arg(&sizes.n).arg(&sizes.k);
        for stride in &strides {
            launch.arg(stride);
        }
        // SAFETY: the kernel takes (const u16*, const u16*, u16*, u32 x 3, u64 x 3) and touches the
        // elements of the three shapes.
        unsafe { launch.launch(config) }?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_is_shaped_by_its_tiles() {
        let of = |m, n| HopperTiling::of(Sizes { m, n, k: 64 }, 132, true);
        assert_eq!((of(512, 512).columns, of(512, 512).cluster), (128, 1));
        assert_eq!((of(2048, 2048).columns, of(2048, 2048).cluster), (256, 1));
        assert_eq!((of(4096, 4096).columns, of(4096, 4096).cluster), (256, 2));
    }

    #[test]
    fn the_product_of_all_devices_is_shaped_by_its_tiles_and_its_shared_memory() {
        let of = |side, shared| AmpereTiling::of(Sizes { m: side, n: side, k: 64 }, 132, shared);
        assert_eq!(of(4096, 227 * 1024), DEEP);
        assert_eq!(of(512, 227 * 1024), SHALLOW);
        assert_eq!(of(4096, 99 * 1024), SHALLOW);
        assert!(DEEP.shared() <= 163 * 1024, "of compute capability 8.0");
        assert!(SHALLOW.shared() <= 99 * 1024, "of compute capability 8.6");
        for shape in [DEEP, SHALLOW] {
            assert_eq!(shape.block.0 % (shape.threads() / (shape.depth / 8)), 0);
            assert_eq!(shape.depth % (shape.threads() / (shape.block.1 / 8)), 0);
            assert_eq!(shape.depth % 32, 0, "two sets of operands take turns");
        }
    }

    /// The opt-in limit per block of Hopper.
    #[test]
    fn shared_memory_suffices() {
        for side in [64, 2048, 8192] {
            for bulk in [false, true] {
                let tiling = HopperTiling::of(Sizes { m: side, n: side, k: 64 }, 132, bulk);
                assert!(tiling.shared() <= 232_448, "{tiling:?}: {}", tiling.shared());
            }
        }
    }
}
