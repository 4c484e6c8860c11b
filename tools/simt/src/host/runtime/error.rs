//! Error codes, with CUDA's own names and words.

use super::super::machine::Machine;

/// An error code; 0 is success.
pub(super) type Error = i32;

pub(super) const SUCCESS: Error = 0;
pub(super) const INVALID_VALUE: Error = 1;
pub(super) const MEMORY_ALLOCATION: Error = 2;
pub(super) const INVALID_CONFIGURATION: Error = 9;
pub(super) const INVALID_DIRECTION: Error = 21;
pub(super) const ILLEGAL_ADDRESS: Error = 700;
pub(super) const LAUNCH_TIMEOUT: Error = 702;
pub(super) const ASSERT: Error = 710;
pub(super) const LAUNCH_FAILURE: Error = 719;

impl Machine<'_> {
    /// What a call answers: an error is kept for `cudaGetLastError`.
    pub(super) fn answer(&mut self, error: Error) -> u64 {
        let error = if self.runtime.sticky == SUCCESS { error } else { self.runtime.sticky };
        if error != SUCCESS {
            self.runtime.last = error;
        }
        error as u64
    }

    /// Waits for all that kernels do.
    pub(super) fn synchronise(&mut self) -> Error {
        self.flush();
        if self.runtime.pending != SUCCESS {
            self.runtime.sticky = std::mem::take(&mut self.runtime.pending);
        }
        self.runtime.sticky
    }
}
