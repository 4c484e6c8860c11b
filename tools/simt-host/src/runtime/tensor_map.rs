//! Tensor maps that a program makes: `cuTensorMapEncodeTiled`.

use super::error::{INVALID_VALUE, SUCCESS};
use crate::interpreter::{Executed, Interpreter};
use simt::machine::{TensorElement, TensorMap};
use simt::{Diagnostic, Severity};

/// The numbers that the header passes.
const NUMBERS: usize = 25;

impl Interpreter<'_> {
    /// Stores a tensor map of these numbers: see [`crate::library::Library::TensorMap`]. What the driver
    /// refuses is refused with a warning, because its `CUresult` says not why.
    pub(super) fn tensor_map(&mut self, to: u64, numbers: u64) -> Executed<u64> {
        let bytes = self.read_bytes(numbers, 8 * NUMBERS as u64)?;
        let number =
            |at: usize| bytes[at * 8..].first_chunk().map_or(0, |b| u64::from_le_bytes(*b));
        let small = |at: usize| u32::try_from(number(at)).unwrap_or(u32::MAX);
        let axes = |at: usize| std::array::from_fn(|axis| small(at + axis));
        let Some(element) = TensorElement::numbered(number(0) as usize) else {
            return Ok(INVALID_VALUE as u64);
        };
        let map = TensorMap {
            address: number(2),
            element,
            rank: small(1),
            swizzle: small(3),
            sizes: std::array::from_fn(|axis| number(4 + axis)),
            tile: axes(9),
            steps: axes(14),
            strides: std::array::from_fn(|axis| number(19 + axis)),
            nan_fill: number(23) != 0,
            interleave: small(24),
        };
        if let Err(why) = map.check() {
            let message = format!("there is no such tensor map: {why}");
            let mut diagnostic = Diagnostic::error("tensor-map", self.span(), message);
            diagnostic.severity = Severity::Warning;
            self.report(diagnostic);
            return Ok(INVALID_VALUE as u64);
        }
        self.write_bytes(to, &map.encode())?;
        Ok(SUCCESS as u64)
    }
}
