//! The attributes of kernels.

use super::error::{INVALID_FUNCTION, INVALID_VALUE, SUCCESS};
use crate::interpreter::Interpreter;
use simt::isa::Kernel;
use simt::occupancy::{Usage, occupancy};
use simt::{Diagnostic, Severity};

/// The assumed registers per thread: the kernel is not compiled for a device.
pub(super) const REGISTERS: u32 = 32;

impl Interpreter<'_> {
    /// The limit of dynamic shared memory per block of the kernel.
    pub(super) fn shared_limit(&self, kernel: &Kernel) -> u32 {
        let limits = &self.config.limits;
        let opted = self.runtime.shared_limits.get(&self.number_of(kernel)).copied();
        opted.unwrap_or(limits.shared_per_block.saturating_sub(kernel.shared_bytes))
    }

    /// An attribute of a kernel: see [`crate::Library::CudaFunction`].
    pub(super) fn cuda_function(&mut self, function: u64, what: i32) -> u64 {
        let Some(kernel) = self.kernel_at(function) else { return u64::from(u32::MAX) };
        u64::from(match what {
            0 => kernel.shared_bytes,
            1 => kernel.local_bytes,
            2 => kernel.max_threads.unwrap_or(1024),
            3 => {
                self.assume_registers();
                REGISTERS
            }
            5 if self.runtime.wide_clusters.contains(&self.number_of(kernel)) => 16,
            5 => 8,
            _ => self.shared_limit(kernel),
        })
    }

    pub(super) fn cuda_function_set(&mut self, function: u64, attribute: i32, value: i32) -> u64 {
        let Some(kernel) = self.kernel_at(function) else {
            return self.answer(INVALID_FUNCTION);
        };
        let most = self.most_shared(kernel);
        let number = self.number_of(kernel);
        let error = match (attribute, u32::try_from(value)) {
            (8, Ok(bytes)) if bytes <= most => {
                self.runtime.shared_limits.insert(number, bytes);
                SUCCESS
            }
            (14, Ok(allowed)) => {
                let wide = &mut self.runtime.wide_clusters;
                match allowed {
                    0 => wide.remove(&number),
                    _ => wide.insert(number),
                };
                SUCCESS
            }
            (9, _) if (-1..=100).contains(&value) => SUCCESS,
            _ => INVALID_VALUE,
        };
        self.answer(error)
    }

    /// The number of blocks that are resident on a multiprocessor at the same time.
    pub(super) fn cuda_occupancy(&mut self, function: u64, block: i32, shared: u64) -> u64 {
        let Some(kernel) = self.kernel_at(function) else { return u64::from(u32::MAX) };
        self.assume_registers();
        let usage = Usage {
            block: block.max(0) as u32,
            registers: REGISTERS,
            shared: kernel.shared_bytes.saturating_add(shared as u32),
        };
        u64::from(occupancy(self.architecture(), usage).blocks)
    }

    /// Warns once that the registers of kernels are unknown here.
    fn assume_registers(&mut self) {
        let message = format!(
            "only NVIDIA's compiler knows the registers per thread: {REGISTERS} are assumed"
        );
        let mut diagnostic = Diagnostic::error("registers", self.span(), message);
        diagnostic.severity = Severity::Note;
        if !self.diagnostics.iter().any(|d| d.code == "registers") {
            self.report(diagnostic);
        }
    }
}
