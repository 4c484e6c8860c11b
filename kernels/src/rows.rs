//! Softmax and layernorm of each row of a matrix.
//!
//! What bounds them is memory: a row is read once, held in the registers of the threads that share
//! it, and written once, whatever is done to it in between. So the threads to a row are chosen by its
//! length; 8192 floats are 512 threads with 16 each. Layernorm of more than 32 K floats is for a cluster of
//! blocks, where the device has those. Rows of more than 64 K floats, or of more than 16 K that begin
//! anywhere, are read three times.

mod cluster;

use crate::frame::Kernels;
use crate::frame::argument::{Held, apart};
use crate::frame::program::{Program, Source, Value};
use crate::{Error, Shape};
use cudarc::driver::{DevicePtr, DevicePtrMut, LaunchConfig, PushKernelArg};

pub(crate) use cluster::program as cluster_program;

pub(crate) const SOURCE: Source =
    Source { name: "rows.cuh", text: include_str!("../include/rows.cuh") };

/// What is done to a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum What {
    Softmax,
    Layernorm,
}

/// How a row is shared out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Share {
    /// Floats of one access.
    lanes: u32,
    /// Accesses of a thread that stay in registers, and in shared memory.
    vectors: u32,
    kept: u32,
    /// Threads to a row, rows to a block.
    threads: u32,
    rows: u32,
    /// Of layernorm: vectors of gain and bias that are asked for before they are needed.
    ahead: u32,
    /// Blocks that a multiprocessor is to hold, 0 where that is left to the compiler.
    blocks: u32,
}

impl Share {
    const fn new(lanes: u32, vectors: u32, threads: u32, rows: u32) -> Share {
        Share { lanes, vectors, kept: 0, threads, rows, ahead: 0, blocks: 0 }
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

/// Where rows begin at multiples of 16 bytes. Measured: among the shapes that hold a row, few
/// vectors a thread and several blocks a multiprocessor are fastest. The last holds half as much again
/// in shared memory: 96 KiB.
pub(crate) const ALIGNED: [Share; 10] = [
    Share::new(4, 1, 32, 8),
    Share::new(4, 2, 32, 8),
    Share::new(4, 4, 32, 8),
    Share::new(4, 2, 128, 1),
    Share::new(4, 8, 64, 2),
    Share::new(4, 2, 512, 1),
    Share::new(4, 4, 512, 1),
    Share::new(4, 4, 1024, 1),
    Share::new(4, 8, 1024, 1),
    Share { kept: 6, ..Share::new(4, 10, 1024, 1) },
];

/// The same of layernorm, for rows of more than 4 K: few threads with many registers, so that shared
/// memory has room for gain and bias. The last asks for 176 KiB, which a block of compute capability
/// 8.6 has not.
pub(crate) const SCALED: [Share; 4] = [
    Share { ahead: 4, ..Share::new(4, 4, 512, 1) },
    Share { ahead: 6, blocks: 2, ..Share::new(4, 8, 512, 1) },
    Share { ahead: 6, blocks: 1, ..Share::new(4, 16, 512, 1) },
    Share { kept: 10, ahead: 6, blocks: 1, ..Share::new(4, 22, 512, 1) },
];

/// Where rows begin anywhere.
pub(crate) const ANYWHERE: [Share; 4] = [
    Share::new(1, 4, 32, 8),
    Share::new(1, 8, 128, 1),
    Share::new(1, 8, 512, 1),
    Share::new(1, 16, 1024, 1),
];

/// Threads of the kernel that reads rows of any length three times.
const LONG: u32 = 1024;

pub(crate) fn program(what: What, share: Option<Share>) -> Program {
    let share = share.unwrap_or(Share::new(1, 1, LONG, 1));
    let word = match what {
        What::Softmax => "SOFTMAX",
        What::Layernorm => "LAYERNORM",
    };
    let constants = vec![
        ("WHAT", Value::Word(word)),
        ("LANES", Value::Number(share.lanes)),
        ("VECTORS", Value::Number(share.vectors)),
        ("KEPT", Value::Number(share.kept)),
        ("THREADS", Value::Number(share.threads)),
        ("ROWS", Value::Number(share.rows)),
        ("AHEAD", Value::Number(share.ahead)),
        ("BLOCKS", Value::Number(share.blocks)),
    ];
    Program { file: SOURCE, entry: "kernels_rows", constants }
}

/// The kernel of the same file for rows that nothing holds.
pub(crate) fn long_program(what: What) -> Program {
    Program { entry: "kernels_rows_long", ..program(what, None) }
}

impl Kernels {
    /// Softmax of each row: `to[r][c]` = exp(`from[r][c]` - m) / the sum over the row of exp(x - m),
    /// with m the row's largest. Both matrices have this shape, `to` with rows `to_stride` apart.
    ///
    /// A row with NaN or +infinity, or of nothing but -infinity, becomes NaN.
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
        self.launch_rows(What::Softmax, &from, shape, &to, to_stride, None)
    }

    /// Layernorm of each row: `to[r][c]` = (`from[r][c]` - mean) / sqrt(variance + `epsilon`) *
    /// `gain[c]` + `bias[c]`, mean and variance (of n, not n - 1) over the row. Shapes as for
    /// [`Kernels::softmax`]; `gain` and `bias` have as many elements as a row.
    ///
    /// # Errors
    /// As [`Kernels::softmax`], and where `gain` or `bias` is shorter than a row.
    #[expect(clippy::too_many_arguments, reason = "a layernorm has so many operands")]
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
        apart(gain.span, to.span)?;
        apart(bias.span, to.span)?;
        let scale = Scale { gain: &gain, bias: &bias, epsilon };
        self.launch_rows(What::Layernorm, &from, shape, &to, to_stride, Some(scale))
    }

    fn launch_rows(
        &self,
        what: What,
        from: &Held<'_>,
        shape: Shape,
        to: &Held<'_>,
        to_stride: usize,
        scale: Option<Scale<'_>>,
    ) -> Result<(), Error> {
        apart(from.span, to.span)?;
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
            why: format!("has {rows} rows; a launch reaches {} blocks of them", i32::MAX),
        };
        if let Some(scale) = &scale
            && aligned
            && cluster::holds(shape.columns, self.device)
        {
            i32::try_from(shape.rows).map_err(|_| too_many(shape.rows))?;
            return self.launch_layernorm_cluster(from, shape, to, to_stride, scale);
        }
        let share = share(what, shape.columns, aligned, self.device.shared_per_block);
        let (program, blocks, threads, shared) = match share {
            Some(s) => {
                let blocks = shape.rows.div_ceil(s.rows as usize);
                (program(what, share), blocks, s.threads * s.rows, s.shared())
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
        // seen to have; a block's threads hold a whole row.
        unsafe { launch.launch(config) }?;
        Ok(())
    }
}

/// What layernorm ends with.
struct Scale<'a> {
    gain: &'a Held<'a>,
    bias: &'a Held<'a>,
    epsilon: f32,
}

/// The shares for rows that begin at multiples of 16 bytes, the smallest first: layernorm has its own for
/// long ones.
pub(crate) fn shares(what: What) -> impl Iterator<Item = &'static Share> {
    let (short, long) = match what {
        What::Softmax => (&ALIGNED[..], &ALIGNED[..0]),
        What::Layernorm => (&ALIGNED[..6], &SCALED[..]),
    };
    short.iter().chain(long)
}

/// The smallest share that holds a row; none where nothing does.
fn share(what: What, columns: usize, aligned: bool, shared_per_block: u32) -> Option<Share> {
    let holds = |s: &&Share| s.capacity() >= columns && s.shared() <= shared_per_block;
    if !aligned {
        return ANYWHERE.iter().find(holds).copied();
    }
    shares(what).find(holds).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_share_or_is_long() {
        const HOPPER: u32 = 227 * 1024;
        for columns in [1, 128, 129, 1000, 4096, 4097, 20_000, 32_768] {
            let share = share(What::Softmax, columns, true, HOPPER).unwrap();
            assert!(share.capacity() >= columns && share.threads * share.rows <= 1024);
        }
        assert_eq!(share(What::Softmax, 65_536, true, HOPPER), Some(ALIGNED[9]));
        assert_eq!(share(What::Softmax, 65_536, true, 99 * 1024), Some(ALIGNED[9]));
        assert_eq!(share(What::Softmax, 65_537, true, HOPPER), None);
        assert_eq!(share(What::Layernorm, 4096, true, HOPPER), Some(ALIGNED[5]));
        assert_eq!(share(What::Layernorm, 4100, true, HOPPER), Some(SCALED[0]));
        assert_eq!(share(What::Layernorm, 10_000, true, HOPPER), Some(SCALED[1]));
        assert_eq!(share(What::Layernorm, 65_536, true, HOPPER), Some(SCALED[3]));
        assert_eq!(share(What::Layernorm, 32_768, true, 99 * 1024), Some(SCALED[2]));
        assert_eq!(share(What::Layernorm, 32_769, true, 99 * 1024), None);
        assert_eq!(share(What::Softmax, 16_384, false, HOPPER), Some(ANYWHERE[3]));
        assert_eq!(share(What::Softmax, 16_385, false, HOPPER), None);
    }

    #[test]
    fn shares_grow() {
        for list in [&ALIGNED[..], &SCALED[..], &ANYWHERE[..]] {
            assert!(list.windows(2).all(|w| w[0].capacity() < w[1].capacity()));
        }
    }
}
