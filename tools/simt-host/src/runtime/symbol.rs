//! Symbols: the `__device__` variables that host code names in `cudaMemcpyToSymbol` and its kin.

use super::error::INVALID_SYMBOL;
use crate::host_memory::{copied_variable, parts};
use crate::interpreter::Interpreter;
use simt::machine::memory::{GLOBALS, pointer};

impl Interpreter<'_> {
    /// Of a symbol, a `__device__` variable or the address that host code has for one: where the device
    /// has it, or its bytes. 0 if it is none.
    pub(super) fn cuda_symbol(&mut self, symbol: u64, bytes: bool) -> u64 {
        let (object, offset) = parts(symbol);
        let variable = copied_variable(object).unwrap_or(object);
        let found = self.memory.global(variable);
        if let Some(found) = found.filter(|_| variable >= GLOBALS && offset == 0) {
            return if bytes { found.bytes as u64 } else { pointer(variable) };
        }
        let message = "the symbol of this call is no `__device__` or `__constant__` variable";
        let help = "pass the variable itself, and not its name in quotes or its address; to a pointer copy with `cudaMemcpy`";
        self.report_error("symbol", message, Some(help));
        self.answer(INVALID_SYMBOL);
        0
    }
}
