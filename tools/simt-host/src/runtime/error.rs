//! Error codes, with CUDA's names and messages.

use crate::interpreter::{ABORTED, Executed, Interpreter, Termination};
use simt::{Diagnostic, Span};

/// An error code; 0 is success.
pub(super) type Error = i32;

/// Code, name and message.
const TABLE: [(Error, &str, &str); 50] = [
    (0, "cudaSuccess", "no error"),
    (1, "cudaErrorInvalidValue", "invalid argument"),
    (2, "cudaErrorMemoryAllocation", "out of memory"),
    (3, "cudaErrorInitializationError", "initialization error"),
    (4, "cudaErrorCudartUnloading", "driver shutting down"),
    (9, "cudaErrorInvalidConfiguration", "invalid configuration argument"),
    (12, "cudaErrorInvalidPitchValue", "invalid pitch argument"),
    (13, "cudaErrorInvalidSymbol", "invalid device symbol"),
    (17, "cudaErrorInvalidDevicePointer", "invalid device pointer"),
    (20, "cudaErrorInvalidChannelDescriptor", "invalid channel descriptor"),
    (21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"),
    (26, "cudaErrorInvalidFilterSetting", "linear filtering not supported for non-float type"),
    (27, "cudaErrorInvalidNormSetting", "read as normalized float not supported for data type"),
    (
        35,
        "cudaErrorInsufficientDriver",
        "CUDA driver version is insufficient for CUDA runtime version",
    ),
    (52, "cudaErrorMissingConfiguration", "__global__ function call is not configured"),
    (98, "cudaErrorInvalidDeviceFunction", "invalid device function"),
    (100, "cudaErrorNoDevice", "no CUDA-capable device is detected"),
    (101, "cudaErrorInvalidDevice", "invalid device ordinal"),
    (200, "cudaErrorInvalidKernelImage", "device kernel image is invalid"),
    (201, "cudaErrorDeviceUninitialized", "invalid device context"),
    (
        209,
        "cudaErrorNoKernelImageForDevice",
        "no kernel image is available for execution on the device",
    ),
    (214, "cudaErrorECCUncorrectable", "uncorrectable ECC error encountered"),
    (215, "cudaErrorUnsupportedLimit", "limit is not supported on this architecture"),
    (
        217,
        "cudaErrorPeerAccessUnsupported",
        "peer access is not supported between these two devices",
    ),
    (218, "cudaErrorInvalidPtx", "a PTX JIT compilation failed"),
    (301, "cudaErrorFileNotFound", "file not found"),
    (400, "cudaErrorInvalidResourceHandle", "invalid resource handle"),
    (401, "cudaErrorIllegalState", "the operation cannot be performed in the present state"),
    (500, "cudaErrorSymbolNotFound", "named symbol not found"),
    (600, "cudaErrorNotReady", "device not ready"),
    (700, "cudaErrorIllegalAddress", "an illegal memory access was encountered"),
    (701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"),
    (702, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"),
    (704, "cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled"),
    (705, "cudaErrorPeerAccessNotEnabled", "peer access has not been enabled"),
    (710, "cudaErrorAssert", "device-side assert triggered"),
    (711, "cudaErrorTooManyPeers", "peer mapping resources exhausted"),
    (
        712,
        "cudaErrorHostMemoryAlreadyRegistered",
        "part or all of the requested memory range is already mapped",
    ),
    (
        713,
        "cudaErrorHostMemoryNotRegistered",
        "pointer does not correspond to a registered memory region",
    ),
    (715, "cudaErrorIllegalInstruction", "an illegal instruction was encountered"),
    (716, "cudaErrorMisalignedAddress", "misaligned address"),
    (719, "cudaErrorLaunchFailure", "unspecified launch failure"),
    (720, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"),
    (800, "cudaErrorNotPermitted", "operation not permitted"),
    (801, "cudaErrorNotSupported", "operation not supported"),
    (900, "cudaErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing"),
    (
        910,
        "cudaErrorGraphExecUpdateFailure",
        "the graph update was not performed because it included changes which violated constraints specific to instantiated graph update",
    ),
    (
        901,
        "cudaErrorStreamCaptureInvalidated",
        "operation failed due to a previous error during capture",
    ),
    (912, "cudaErrorInvalidClusterSize", "cluster misconfiguration"),
    (999, "cudaErrorUnknown", "unknown error"),
];

pub(super) const SUCCESS: Error = 0;
pub(super) const INVALID_VALUE: Error = 1;
pub(super) const MEMORY_ALLOCATION: Error = 2;
pub(super) const INVALID_PITCH: Error = 12;
pub(super) const INVALID_SYMBOL: Error = 13;
const MISSING_CONFIGURATION: Error = 52;
pub(super) const INVALID_DIRECTION: Error = 21;
pub(super) const INVALID_FUNCTION: Error = 98;
pub(super) const INVALID_HANDLE: Error = 400;
pub(super) const ILLEGAL_ADDRESS: Error = 700;
pub(super) const LAUNCH_TIMEOUT: Error = 702;
pub(super) const ASSERT: Error = 710;
pub(super) const ALREADY_REGISTERED: Error = 712;
pub(super) const NOT_REGISTERED: Error = 713;
pub(super) const MISALIGNED: Error = 716;
pub(super) const LAUNCH_FAILURE: Error = 719;
pub(super) const TOO_MANY_BLOCKS: Error = 720;
pub(super) const INVALID_CLUSTER_SIZE: Error = 912;

/// Calls that may fail because of a sticky error, before the program is stopped: it waits for what
/// cannot come any more. On a device it would do so for ever.
const MOST_FAILED: u64 = 1_000_000;

/// Slices of steps (about 500 million steps) that the host may run after a kernel has failed, without a
/// call: it waits for what that kernel should have written.
const MOST_SLICES: u32 = 512;

/// What happened since a sticky error.
#[derive(Debug, Default)]
pub(super) struct AfterError {
    /// The launch that failed, and its kernel.
    pub(super) launch: (Span, String),
    /// The first call that returned the error, and how many did.
    first: Span,
    calls: u64,
    /// Slices of steps since the last call.
    slices: u32,
}

/// The message of an error.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn message(error: Error) -> Option<&'static str> {
    TABLE.iter().find(|row| row.0 == error).map(|row| row.2)
}

impl Interpreter<'_> {
    /// The result of a call; an error is kept for `cudaGetLastError`.
    pub(super) fn answer(&mut self, error: Error) -> u64 {
        let error = if self.runtime.sticky == SUCCESS { error } else { self.runtime.sticky };
        if error != SUCCESS {
            self.runtime.last = error;
        }
        self.runtime.after_error.slices = 0;
        if self.runtime.sticky != SUCCESS {
            if self.runtime.after_error.calls == 0 {
                self.runtime.after_error.first = self.span();
            }
            self.runtime.after_error.calls += 1;
        }
        error as u64
    }

    /// A kernel is called like a function: it is not launched.
    pub(crate) fn not_configured(&mut self, kernel: &str) {
        let message = format!("`{kernel}` is a kernel, and is called like a function");
        self.report_error("call", message, Some("launch it with `<<<grid, block>>>`"));
        self.answer(MISSING_CONFIGURATION);
    }

    /// Ends a program that goes on calling after a sticky error, although each call fails.
    pub(super) fn end_if_spinning(&mut self) -> Executed<()> {
        let after = &self.runtime.after_error;
        if after.calls < MOST_FAILED {
            return Ok(());
        }
        let name = Self::name_of_error(self.runtime.sticky);
        let ((launch, kernel), calls) = (&after.launch, after.calls);
        let message = format!(
            "{calls} calls have failed with {name} since `{kernel}` failed: the program is stopped"
        );
        let diagnostic = Diagnostic::error("endless", self.span(), message)
            .with_label(*launch, "this launch failed")
            .with_label(after.first, "the first call that returned the error")
            .with_help("check what each call returns, and end at the first error");
        self.report(diagnostic);
        Err(Termination::Killed(ABORTED))
    }

    /// Another slice of steps has run: ends a host that waits for memory which a failed kernel did not
    /// write.
    pub(crate) fn end_if_waiting(&mut self) -> Executed<()> {
        if self.runtime.pending == SUCCESS && self.runtime.sticky == SUCCESS {
            return Ok(());
        }
        let after = &mut self.runtime.after_error;
        after.slices += 1;
        if after.slices < MOST_SLICES {
            return Ok(());
        }
        let (launch, kernel) = &self.runtime.after_error.launch;
        let message = format!(
            "the host loops and calls nothing since `{kernel}` failed: the program is stopped"
        );
        let diagnostic = Diagnostic::error("endless", self.span(), message)
            .with_label(*launch, "this launch failed")
            .with_help("call `cudaDeviceSynchronize` and check what it returns before waiting");
        self.report(diagnostic);
        Err(Termination::Killed(ABORTED))
    }

    /// `cudaGetLastError`, `cudaPeekAtLastError`.
    pub(super) fn last_error(&mut self, forget: bool) -> u64 {
        let error = self.runtime.last;
        self.tell_checked();
        if forget {
            // After a sticky error the next call sets it again.
            self.runtime.last = SUCCESS;
        }
        error as u64
    }

    /// A pointer to an error's message, or to its name.
    pub(super) fn error_text(&mut self, error: Error, words: bool) -> u64 {
        let row = TABLE.iter().find(|row| row.0 == error);
        let unknown = (error, "unrecognized error code", "unrecognized error code");
        let (_, name, text) = row.copied().unwrap_or(unknown);
        self.constant_text(if words { text } else { name })
    }

    /// The name of an error that a function answers.
    pub(super) fn name_of_result(&self, call: &str, error: Error) -> &'static str {
        #[cfg(not(target_arch = "wasm32"))]
        if let Some(name) = super::driver::name_of(call, error) {
            return name;
        }
        let _ = call;
        Self::name_of_error(error)
    }

    /// The name of an error.
    pub(super) fn name_of_error(error: Error) -> &'static str {
        TABLE.iter().find(|row| row.0 == error).map_or("an unknown error", |row| row.1)
    }

    /// Synchronises with all kernels: returns their error, and writes what they printed.
    pub(super) fn synchronise(&mut self) -> Error {
        self.flush();
        self.timer_waited();
        self.runtime.streams.awaited();
        if self.runtime.pending != SUCCESS {
            self.runtime.sticky = std::mem::take(&mut self.runtime.pending);
        }
        self.runtime.sticky
    }
}
