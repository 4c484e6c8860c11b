//! Elementwise kernels: copy, activation, bias with activation.
//!
//! They are bound by memory: each byte is read once and written once. A separate activation costs as
//! much as a copy, which is why it is fused with the bias.

use crate::handle::Kernels;
use crate::handle::device_arg::{DeviceArg, check_disjoint};
use crate::handle::program::{Program, Source, Value};
use crate::{Error, Shape};
use cudarc::driver::{DevicePtr, DevicePtrMut, DeviceRepr, LaunchConfig, PushKernelArg};

pub(crate) const SOURCE: Source =
    Source { name: "elementwise.cuh", text: include_str!("../include/elementwise.cuh") };

const THREADS: u32 = 256;

/// The function applied to each element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Activation {
    /// `x`.
    Identity,
    /// Below zero, zero. NaN stays NaN.
    Relu,
    /// x / 2 (1 + erf(x / sqrt 2)).
    Gelu,
}

impl Activation {
    fn word(self) -> &'static str {
        match self {
            Activation::Identity => "IDENTITY",
            Activation::Relu => "RELU",
            Activation::Gelu => "GELU",
        }
    }
}

/// The program that moves `lanes` elements of `kind` per thread.
pub(crate) fn program(
    what: &'static str,
    kind: &'static str,
    lanes: u32,
    activation: Activation,
) -> Program {
    let constants = vec![
        ("T", Value::Token(kind)),
        ("LANES", Value::Number(lanes)),
        ("THREADS", Value::Number(THREADS)),
        ("WHAT", Value::Token(what)),
        ("ACTIVATION", Value::Token(activation.word())),
    ];
    Program { file: SOURCE, entry: "kernels_elementwise", constants }
}

impl Kernels {
    /// Copies `from` to the beginning of `to`.
    ///
    /// # Errors
    /// [`Error::Argument`] where `to` is shorter or they overlap; [`Error::Driver`].
    pub fn copy<T: DeviceRepr>(
        &self,
        from: &impl DevicePtr<T>,
        to: &mut impl DevicePtrMut<T>,
    ) -> Result<(), Error> {
        let n = from.len();
        let from = self.reads("from", from, Some(n))?;
        let to = self.writes("to", to, Some(n))?;
        check_disjoint(from.span, to.span)?;
        // Copied as untyped bytes, in the widest accesses that both alignments allow.
        let bytes = from.span.bytes;
        let places = from.span.pointer | to.span.pointer;
        let (kind, size) = match (places % 4, bytes % 4) {
            (0, 0) => ("float", 4),
            _ => ("unsigned char", 1),
        };
        let lanes = if places.is_multiple_of(16) { 16 / size } else { 1 };
        let program = program("COPY", kind, lanes, Activation::Identity);
        self.launch_elementwise(&program, lanes, &from, &to, bytes / u64::from(size), None)
    }

    /// `to[i]` = the activation of `from[i]`.
    ///
    /// # Errors
    /// As [`Kernels::copy`].
    pub fn activation(
        &self,
        activation: Activation,
        from: &impl DevicePtr<f32>,
        to: &mut impl DevicePtrMut<f32>,
    ) -> Result<(), Error> {
        let n = from.len();
        let from = self.reads("from", from, Some(n))?;
        let to = self.writes("to", to, Some(n))?;
        check_disjoint(from.span, to.span)?;
        let lanes = if from.span.is_aligned() && to.span.is_aligned() { 4 } else { 1 };
        let program = program("MAP", "float", lanes, activation);
        self.launch_elementwise(&program, lanes, &from, &to, n as u64, None)
    }

    /// `to[i]` = max(`from[i]`, 0); NaN stays NaN.
    ///
    /// # Errors
    /// As [`Kernels::copy`].
    pub fn relu(
        &self,
        from: &impl DevicePtr<f32>,
        to: &mut impl DevicePtrMut<f32>,
    ) -> Result<(), Error> {
        self.activation(Activation::Relu, from, to)
    }

    /// Bias and activation in one pass: `to[r][c]` = the activation of `from[r][c] + bias[c]`, of
    /// contiguous row-major matrices. `columns` is the length of `bias`.
    ///
    /// # Errors
    /// [`Error::Argument`] where the length of `from` is not a multiple of `bias`'s, `to` is shorter, or they
    /// overlap; [`Error::Driver`].
    pub fn bias_activation(
        &self,
        activation: Activation,
        from: &impl DevicePtr<f32>,
        bias: &impl DevicePtr<f32>,
        to: &mut impl DevicePtrMut<f32>,
    ) -> Result<(), Error> {
        let (n, columns) = (from.len(), bias.len());
        if n == 0 {
            return Ok(());
        }
        if columns == 0 || !n.is_multiple_of(columns) {
            let why = format!(
                "has {n} elements, which is not a multiple of the length of `bias`, {columns}"
            );
            return Err(Error::Argument { name: "from", why });
        }
        let shape = Shape::new(n / columns, columns);
        let from = self.reads("from", from, shape.elements())?;
        let bias = self.reads("bias", bias, Some(columns))?;
        let to = self.writes("to", to, shape.elements())?;
        check_disjoint(from.span, to.span)?;
        check_disjoint(bias.span, to.span)?;
        let aligned = [&from, &bias, &to].iter().all(|held| held.span.is_aligned());
        let lanes = if aligned && columns.is_multiple_of(4) { 4 } else { 1 };
        let program = program("BIAS", "float", lanes, activation);
        let bias = (bias.span.pointer, columns as u64);
        self.launch_elementwise(&program, lanes, &from, &to, n as u64, Some(bias))
    }

    fn launch_elementwise(
        &self,
        program: &Program,
        lanes: u32,
        from: &DeviceArg<'_>,
        to: &DeviceArg<'_>,
        n: u64,
        bias: Option<(u64, u64)>,
    ) -> Result<(), Error> {
        if n == 0 {
            return Ok(()); // a grid of no blocks is not a launch
        }
        let blocks = blocks(n, lanes)?;
        let function = self.function(program, 0)?;
        let config = LaunchConfig {
            grid_dim: (blocks, 1, 1),
            block_dim: (THREADS, 1, 1),
            shared_mem_bytes: 0,
        };
        let mut launch = self.stream.launch_builder(&function);
        launch.arg(&from.span.pointer).arg(&to.span.pointer).arg(&n);
        if let Some((bias, columns)) = &bias {
            launch.arg(bias).arg(columns);
        }
        // SAFETY: the kernel takes (const T*, T*, u64) and, of a bias, (const T*, u64). It reads and
        // writes `n` elements, which both have, and reads `columns` of the bias.
        unsafe { launch.launch(config) }?;
        Ok(())
    }
}

/// # Errors
/// Where a launch would need more blocks than a grid can have.
fn blocks(n: u64, lanes: u32) -> Result<u32, Error> {
    let blocks = n.div_ceil(u64::from(THREADS * lanes));
    let blocks = u32::try_from(blocks).ok().filter(|b| *b <= i32::MAX as u32);
    blocks.ok_or_else(|| Error::Argument {
        name: "from",
        why: format!("has {n} elements, more than one launch can cover at this alignment"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_2_to_the_31_elements_there_are_more_blocks_and_no_wrap() {
        assert_eq!(blocks(1, 4), Ok(1));
        assert_eq!(blocks((1 << 31) + 1, 1), Ok((1 << 23) + 1));
        assert_eq!(blocks((1 << 33) + 1, 4), Ok((1 << 23) + 1));
        let most = i32::MAX as u64 * 256;
        assert_eq!(blocks(most, 1), Ok(i32::MAX as u32));
        let error = blocks(most + 1, 1).unwrap_err().to_string();
        assert!(error.starts_with("`from` has 549755813633 elements, more than"), "{error}");
    }
}
