//! Softmax and layernorm of each row of a matrix.
//!
//! They are bound by memory: a row is read once, held in registers and written once. The number of
//! threads per row depends on its length: 8192 floats take 512 threads with 16 each. Where the device
//! has clusters, layernorm of more than 32 K floats uses a cluster of blocks per row. Rows of more than
//! 64 K floats, and unaligned rows of more than 16 K, are read three times.

mod cluster;

use crate::handle::Kernels;
use crate::handle::device_arg::{DeviceArg, check_disjoint};
use crate::handle::program::{Program, Source, Value};
use crate::{Error, Shape};
use cudarc::driver::{DevicePtr, DevicePtrMut, LaunchConfig, PushKernelArg};

pub(crate) use cluster::program as cluster_program;

pub(crate) const SOURCE: Source =
    Source { name: "rows.cuh", text: include_str!("../include/rows.cuh") };

/// The operation on a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum RowOp {
    Softmax,
    Layernorm,
}

/// How a row is distributed over threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RowLayout {
    /// Floats per access.
    lanes: u32,
    /// Accesses per thread that are kept in registers, and in shared memory.
    vectors: u32,
    kept: u32,
    /// Threads per row, rows per block.
    threads: u32,
    rows: u32,
    /// Layernorm: vectors of gain and bias that are prefetched.
    ahead: u32,
    /// Minimum blocks per multiprocessor for `__launch_bounds__`; 0: the compiler decides.
    blocks: u32,
}

impl RowLayout {
    const fn new(lanes: u32, vectors: u32, threads: u32, rows: u32) -> RowLayout {
        RowLayout { lanes, vectors, kept: 0, threads, rows, ahead: 0, blocks: 0 }
    }

    /// The longest row.
    fn capacity(self) -> usize {
        (self.lanes * (self.vectors + self.kept) * self.threads) as usize
    }

    /// Bytes of shared memory.
    fn shared(self) -> u32 {
        (self.kept + 2 * self.ahead) * self.threads * self.lanes * 4
    }
}

/// Layouts for rows aligned to 16 bytes. Measured: among the layouts that hold a row, few vectors per
/// thread and several blocks per multiprocessor are fastest. The last one keeps 96 KiB of the row in
/// shared memory.
pub(crate) const ALIGNED: [RowLayout; 10] = [
    RowLayout::new(4, 1, 32, 8),
    RowLayout::new(4, 2, 32, 8),
    RowLayout::new(4, 4, 32, 8),
    RowLayout::new(4, 2, 128, 1),
    RowLayout::new(4, 8, 64, 2),
    RowLayout::new(4, 2, 512, 1),
    RowLayout::new(4, 4, 512, 1),
    RowLayout::new(4, 4, 1024, 1),
    RowLayout::new(4, 8, 1024, 1),
    RowLayout { kept: 6, ..RowLayout::new(4, 10, 1024, 1) },
];

/// Layouts of layernorm for rows of more than 4 K: few threads with many registers leave shared memory
/// for gain and bias. The last needs 176 KiB, more than compute capability 8.6 has.
pub(crate) const SCALED: [RowLayout; 4] = [
    RowLayout { ahead: 4, ..RowLayout::new(4, 4, 512, 1) },
    RowLayout { ahead: 6, blocks: 2, ..RowLayout::new(4, 8, 512, 1) },
    RowLayout { ahead: 6, blocks: 1, ..RowLayout::new(4, 16, 512, 1) },
    RowLayout { kept: 10, ahead: 6, blocks: 1, ..RowLayout::new(4, 22, 512, 1) },
];

/// Layouts for rows of any alignment.
pub(crate) const UNALIGNED: [RowLayout; 4] = [
    RowLayout::new(1, 4, 32, 8),
    RowLayout::new(1, 8, 128, 1),
    RowLayout::new(1, 8, 512, 1),
    RowLayout::new(1, 16, 1024, 1),
];

/// Threads of the fallback kernel, which reads a row of any length three times.
const LONG: u32 = 1024;

pub(crate) fn program(what: RowOp, layout: Option<RowLayout>) -> Program {
    let layout = layout.unwrap_or(RowLayout::new(1, 1, LONG, 1));
    let word = match what {
        RowOp::Softmax => "SOFTMAX",
        RowOp::Layernorm => "LAYERNORM",
    };
    let constants = vec![
        ("WHAT", Value::Token(word)),
        ("LANES", Value::Number(layout.lanes)),
        ("VECTORS", Value::Number(layout.vectors)),
        ("KEPT", Value::Number(layout.kept)),
        ("THREADS", Value::Number(layout.threads)),
        ("ROWS", Value::Number(layout.rows)),
        ("AHEAD", Value::Number(layout.ahead)),
        ("BLOCKS", Value::Number(layout.blocks)),
    ];
    Program { file: SOURCE, entry: "kernels_rows", constants }
}

/// The fallback kernel for rows that no layout holds.
pub(crate) fn long_program(what: RowOp) -> Program {
    Program { entry: "kernels_rows_long", ..program(what, None) }
}

impl Kernels {
    /// Softmax of each row: `to[r][c]` = exp(`from[r][c]` - m) / the sum over the row of exp(x - m),
    /// with m the row's maximum. Both matrices have this shape, `to` with rows `to_stride` apart.
    ///
    /// A row that contains NaN or +infinity, or only -infinity, becomes NaN.
    ///
    /// # Errors
    /// [`Error::Argument`] where an array is too short for its shape, rows overlap, or the arrays
    /// overlap; [`Error::Driver`].
    pub fn softmax(
        &self,
        from: &impl DevicePtr<f32>,
        shape: Shape,
        to: &mut impl DevicePtrMut<f32>,
        to_stride: usize,
    ) -> Result<(), Error> {
        let written = shape.strided(to_stride);
        shape.check("from")?;
        written.check("to")?;
        let from = self.reads("from", from, shape.elements())?;
        let to = self.writes("to", to, written.elements())?;
        self.launch_rows(RowOp::Softmax, &from, shape, &to, to_stride, None)
    }

    /// Layernorm of each row: `to[r][c]` = (`from[r][c]` - mean) / sqrt(variance + `epsilon`) *
    /// `gain[c]` + `bias[c]`, mean and variance (of n, not n - 1) over the row. Shapes as for
    /// [`Kernels::softmax`]; `gain` and `bias` have as many elements as a row.
    ///
    /// # Errors
    /// As [`Kernels::softmax`], and where `gain` or `bias` is shorter than a row.
    #[expect(clippy::too_many_arguments, reason = "layernorm has this many operands")]
    pub fn layernorm(
        &self,
        from: &impl DevicePtr<f32>,
        shape: Shape,
        gain: &impl DevicePtr<f32>,
        bias: &impl DevicePtr<f32>,
        epsilon: f32,
        to: &mut impl DevicePtrMut<f32>,
        to_stride: usize,
    ) -> Result<(), Error> {
        let written = shape.strided(to_stride);
        shape.check("from")?;
        written.check("to")?;
        let from = self.reads("from", from, shape.elements())?;
        let gain = self.reads("gain", gain, Some(shape.columns))?;
        let bias = self.reads("bias", bias, Some(shape.columns))?;
        let to = self.writes("to", to, written.elements())?;
        check_disjoint(gain.span, to.span)?;
        check_disjoint(bias.span, to.span)?;
        let scale = Scale { gain: &gain, bias: &bias, epsilon };
        self.launch_rows(RowOp::Layernorm, &from, shape, &to, to_stride, Some(scale))
    }

    fn launch_rows(
        &self,
        what: RowOp,
        from: &DeviceArg<'_>,
        shape: Shape,
        to: &DeviceArg<'_>,
        to_stride: usize,
        scale: Option<Scale<'_>>,
    ) -> Result<(), Error> {
        check_disjoint(from.span, to.span)?;
        if shape.is_empty() {
            return Ok(());
        }
        let mut aligned = from.span.is_aligned() && to.span.is_aligned();
        aligned &= [shape.columns, shape.stride, to_stride].iter().all(|l| l.is_multiple_of(4));
        if let Some(scale) = &scale {
            aligned &= scale.gain.span.is_aligned() && scale.bias.span.is_aligned();
        }
        let too_many = |rows: usize| Error::Argument {
            name: from.span.name,
            why: format!("has {rows} rows; a grid can have at most {} blocks", i32::MAX),
        };
        if let Some(scale) = &scale
            && aligned
            && cluster::holds(shape.columns, self.device)
        {
            i32::try_from(shape.rows).map_err(|_| too_many(shape.rows))?;
            return self.launch_layernorm_cluster(from, shape, to, to_stride, scale);
        }
        let layout = layout(what, shape.columns, aligned, self.device.shared_per_block);
        let (program, blocks, threads, shared) = match layout {
            Some(s) => {
                let blocks = shape.rows.div_ceil(s.rows as usize);
                (program(what, layout), blocks, s.threads * s.rows, s.shared())
            }
            None => (long_program(what), shape.rows, LONG, 0),
        };
        let blocks = i32::try_from(blocks).map_err(|_| too_many(shape.rows))?;
        let function = self.function(&program, shared)?;
        let config = LaunchConfig {
            grid_dim: (blocks as u32, 1, 1),
            block_dim: (threads, 1, 1),
            shared_mem_bytes: shared,
        };
        let sizes = [shape.rows, shape.columns, shape.stride, to_stride].map(|s| s as u64);
        let mut launch = self.stream.launch_builder(&function);
        launch.arg(&from.span.pointer).arg(&to.span.pointer);
        for size in &sizes {
            launch.arg(size);
        }
        if let Some(scale) = &scale {
            launch.arg(&scale.gain.span.pointer).arg(&scale.bias.span.pointer).arg(&scale.epsilon);
        }
        // SAFETY: the kernels take (const float*, float*, u64 x 4) and, of layernorm, (const float*,
        // const float*, float). They read and write the elements of the shape, which the arrays were
        // seen to have; the threads of a block hold a whole row.
        unsafe { launch.launch(config) }?;
        Ok(())
    }
}

/// The affine part of layernorm.
struct Scale<'a> {
    gain: &'a DeviceArg<'a>,
    bias: &'a DeviceArg<'a>,
    epsilon: f32,
}

/// The layouts for rows aligned to 16 bytes, smallest first. Layernorm has its own for long rows.
pub(crate) fn layouts(what: RowOp) -> impl Iterator<Item = &'static RowLayout> {
    let (short, long) = match what {
        RowOp::Softmax => (&ALIGNED[..], &ALIGNED[..0]),
        RowOp::Layernorm => (&ALIGNED[..6], &SCALED[..]),
    };
    short.iter().chain(long)
}

/// The smallest layout that holds a row, if one does.
fn layout(what: RowOp, columns: usize, aligned: bool, shared_per_block: u32) -> Option<RowLayout> {
    let holds = |s: &&RowLayout| s.capacity() >= columns && s.shared() <= shared_per_block;
    if !aligned {
        return UNALIGNED.iter().find(holds).copied();
    }
    layouts(what).find(holds).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_share_or_is_long() {
        const HOPPER: u32 = 227 * 1024;
        for columns in [1, 128, 129, 1000, 4096, 4097, 20_000, 32_768] {
            let layout = layout(RowOp::Softmax, columns, true, HOPPER).unwrap();
            assert!(layout.capacity() >= columns && layout.threads * layout.rows <= 1024);
        }
        assert_eq!(layout(RowOp::Softmax, 65_536, true, HOPPER), Some(ALIGNED[9]));
        assert_eq!(layout(RowOp::Softmax, 65_536, true, 99 * 1024), Some(ALIGNED[9]));
        assert_eq!(layout(RowOp::Softmax, 65_537, true, HOPPER), None);
        assert_eq!(layout(RowOp::Layernorm, 4096, true, HOPPER), Some(ALIGNED[5]));
        assert_eq!(layout(RowOp::Layernorm, 4100, true, HOPPER), Some(SCALED[0]));
        assert_eq!(layout(RowOp::Layernorm, 10_000, true, HOPPER), Some(SCALED[1]));
        assert_eq!(layout(RowOp::Layernorm, 65_536, true, HOPPER), Some(SCALED[3]));
        assert_eq!(layout(RowOp::Layernorm, 32_768, true, 99 * 1024), Some(SCALED[2]));
        assert_eq!(layout(RowOp::Layernorm, 32_769, true, 99 * 1024), None);
        assert_eq!(layout(RowOp::Softmax, 16_384, false, HOPPER), Some(UNALIGNED[3]));
        assert_eq!(layout(RowOp::Softmax, 16_385, false, HOPPER), None);
    }

    #[test]
    fn shares_grow() {
        for list in [&ALIGNED[..], &SCALED[..], &UNALIGNED[..]] {
            assert!(list.windows(2).all(|w| w[0].capacity() < w[1].capacity()));
        }
    }
}
