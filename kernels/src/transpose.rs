//! Matrix transpose.
//!
//! It is bound by memory, like a copy: each element is read once and written once. It is harder than a
//! copy because rows on one side are columns on the other. See `include/transpose.cuh`.

use crate::handle::Kernels;
use crate::handle::device_arg::check_disjoint;
use crate::handle::program::{Program, Source, Value};
use crate::{Error, Shape};
use cudarc::driver::{DevicePtr, DevicePtrMut, DeviceRepr, LaunchConfig, PushKernelArg};

pub(crate) const SOURCE: Source =
    Source { name: "transpose.cuh", text: include_str!("../include/transpose.cuh") };

const SIDE: u32 = 64;

/// The program for elements of `size` bytes, and its threads; `None` for an unsupported size.
pub(crate) fn program(size: usize, whole_vectors: bool) -> Option<(Program, u32)> {
    let (kind, threads) = match size {
        1 => ("unsigned char", 256),
        2 => ("unsigned short", 256),
        4 => ("unsigned int", 512),
        8 => ("unsigned long long", 512),
        _ => return None,
    };
    let constants = vec![
        ("T", Value::Token(kind)),
        ("SIDE", Value::Number(SIDE)),
        ("LANES", Value::Number(if whole_vectors { 16 / size as u32 } else { 1 })),
        ("THREADS", Value::Number(threads)),
    ];
    Some((Program { file: SOURCE, entry: "kernels_transpose", constants }, threads))
}

impl Kernels {
    /// `to[c][r]` = `from[r][c]`: `from` has the given shape, `to` that of its columns as rows, which
    /// begin `to_stride` elements apart. Elements of 1, 2, 4 or 8 bytes.
    ///
    /// It is fastest where both begin at multiples of 16 bytes, and rows, columns and strides are
    /// whole numbers of 16 bytes.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), kernels::Error> {
    /// use kernels::{Kernels, Shape};
    /// let stream = kernels::open(0)?.default_stream();
    /// let kernels = Kernels::new(&stream)?;
    /// let from = stream.clone_htod(&[1, 2, 3, 4, 5, 6])?;
    /// let mut to = stream.alloc_zeros::<i32>(6)?;
    /// kernels.transpose(&from, Shape::new(2, 3), &mut to, 2)?;
    /// assert_eq!(stream.clone_dtoh(&to)?, [1, 4, 2, 5, 3, 6]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] where an array is too short for its shape, rows overlap, the arrays
    /// overlap, or the matrix has more tiles than a launch reaches; [`Error::Unsupported`] for
    /// elements of another size; [`Error::Driver`].
    pub fn transpose<T: DeviceRepr>(
        &self,
        from: &impl DevicePtr<T>,
        shape: Shape,
        to: &mut impl DevicePtrMut<T>,
        to_stride: usize,
    ) -> Result<(), Error> {
        let turned = Shape::new(shape.columns, shape.rows).strided(to_stride);
        shape.check("from")?;
        turned.check("to")?;
        let from = self.reads("from", from, shape.elements())?;
        let to = self.writes("to", to, turned.elements())?;
        check_disjoint(from.span, to.span)?;
        if shape.is_empty() {
            return Ok(());
        }
        let vector = 16 / size_of::<T>().clamp(1, 16);
        let whole = [shape.rows, shape.columns, shape.stride, to_stride]
            .iter()
            .all(|length| length.is_multiple_of(vector));
        let whole = whole && from.span.is_aligned() && to.span.is_aligned();
        let (program, threads) = program(size_of::<T>(), whole).ok_or_else(|| {
            let size = size_of::<T>();
            Error::Unsupported(format!(
                "elements of {size} bytes are not supported; supported are 1, 2, 4 and 8"
            ))
        })?;
        let tiles = |side: usize| side.div_ceil(SIDE as usize);
        let blocks = tiles(shape.rows).checked_mul(tiles(shape.columns));
        let blocks = blocks.and_then(|b| i32::try_from(b).ok()).ok_or_else(|| Error::Argument {
            name: "from",
            why: format!("has more than {} tiles of 64 x 64 elements", i32::MAX),
        })?;
        let function = self.function(&program, 0)?;
        let config = LaunchConfig {
            grid_dim: (blocks as u32, 1, 1),
            block_dim: (threads, 1, 1),
            shared_mem_bytes: 0,
        };
        let sizes = [shape.rows, shape.columns, shape.stride, to_stride].map(|s| s as u64);
        let mut launch = self.stream.launch_builder(&function);
        launch.arg(&from.span.pointer).arg(&to.span.pointer);
        for size in &sizes {
            launch.arg(size);
        }
        // SAFETY: the kernel takes (const T*, T*, u64 x 4). It reads the elements of the shape and
        // writes those of the turned one, which both arrays were seen to have.
        unsafe { launch.launch(config) }?;
        Ok(())
    }
}
