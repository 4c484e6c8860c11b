//! Launches.

use super::super::Launched;
use super::super::machine::{Machine, Ran};
use super::super::memory::{HOST, parts};
use super::error::{
    ASSERT, ILLEGAL_ADDRESS, INVALID_CONFIGURATION, INVALID_VALUE, LAUNCH_FAILURE, LAUNCH_TIMEOUT,
    SUCCESS,
};
use crate::machine::memory::GLOBALS;
use crate::machine::{Arg, Dim3, Launch, Outcome};
use crate::observe::Class;

impl Machine<'_> {
    /// `kernel<<<..>>>(..)`: pointers to grid and block, shared memory, stream, pointer to the
    /// arguments.
    pub(in super::super) fn launch(&mut self, kernel: u32, args: &[u64; 5]) -> Ran<()> {
        let [grid, block, shared, _stream, at] = *args;
        if self.runtime.sticky != SUCCESS {
            self.runtime.last = self.runtime.sticky;
            return Ok(());
        }
        let (grid, block) = (self.dim3(grid)?, self.dim3(block)?);
        let module = &self.program.module;
        let Some(kernel) = module.kernels.get(kernel as usize) else { return Ok(()) };
        let limits = &self.config.limits;
        let fits = |d: Dim3, max: [u32; 3]| {
            [d.x, d.y, d.z].iter().zip(max).all(|(d, max)| (1..=max).contains(d))
        };
        let shaped = fits(grid, [i32::MAX as u32, 65_535, 65_535])
            && fits(block, [1024, 1024, 64])
            && block.count() <= u64::from(limits.threads_per_block);
        let opted = self.runtime.shared_limits.get(&kernel.name).copied();
        let most = opted.unwrap_or(limits.shared_per_block.saturating_sub(kernel.shared_bytes));
        let error = if !shaped {
            INVALID_CONFIGURATION
        } else if shared > u64::from(most)
            || kernel.max_threads.is_some_and(|max| block.count() > u64::from(max))
        {
            INVALID_VALUE
        } else {
            SUCCESS
        };
        if error != SUCCESS {
            self.runtime.last = error;
            return Ok(());
        }
        let mut values = Vec::new();
        for param in &kernel.params {
            let bytes = self.read_bytes(at + u64::from(param.offset), u64::from(param.size))?;
            if let (Some(pointee), Ok(pointer)) = (&param.pointee, bytes[..].try_into()) {
                self.memory.call_elements(u64::from_le_bytes(pointer), pointee);
            }
            values.push(Arg::Value(bytes));
        }
        let launch = Launch { kernel, grid, block, dynamic_shared: shared as u32, args: &values };
        let span = self.span();
        match crate::launch(module, &launch, &mut self.memory, self.config) {
            Ok(report) => {
                self.runtime.printed.push_str(&report.printed);
                let error = match report.outcome {
                    Outcome::Completed => SUCCESS,
                    Outcome::Deadlock | Outcome::BudgetSpent => LAUNCH_TIMEOUT,
                    Outcome::Faulted => {
                        let trap = report.findings.iter().find(|f| f.class == Class::Trap);
                        match trap {
                            Some(f) if f.message.contains("assert") => ASSERT,
                            Some(_) => LAUNCH_FAILURE,
                            None => ILLEGAL_ADDRESS,
                        }
                    }
                };
                self.runtime.pending = error;
                self.runtime.launches.push(Launched { kernel: kernel.name.clone(), span, report });
            }
            Err(error) => {
                self.complain("launch", error.message, None);
                self.runtime.last = INVALID_VALUE;
            }
        }
        Ok(())
    }

    fn dim3(&mut self, at: u64) -> Ran<Dim3> {
        let bytes = self.read_bytes(at, 12)?;
        let part =
            |i: usize| bytes[i * 4..].first_chunk().map_or(1, |b: &[u8; 4]| u32::from_le_bytes(*b));
        Ok(Dim3 { x: part(0), y: part(1), z: part(2) })
    }

    /// Whether a pointer is one of the host.
    #[expect(dead_code, reason = "findings of kernels that touch the host")]
    fn of_host(pointer: u64) -> bool {
        (HOST..GLOBALS).contains(&parts(pointer).0)
    }
}
