//! Calls of the driver API, whose functions are C++ above those of the runtime API ([`crate::headers`]).
//!
//! Each begins and ends here. So a finding names the function that the program called, and an error has
//! the driver's number.

use super::error::{
    Error, INVALID_DIRECTION, INVALID_FUNCTION, INVALID_HANDLE, INVALID_PITCH, INVALID_SYMBOL,
    INVALID_VALUE,
};
use crate::Library;
use crate::interpreter::Interpreter;

/// Which interface the program uses.
#[derive(Debug, Default)]
pub(crate) struct DriverCalls {
    /// Whether a function of the driver runs.
    inside: bool,
    /// Whether the runtime was called, which makes the context of the device.
    runtime: bool,
}

impl DriverCalls {
    /// A function that belongs to the runtime, unless one of the driver calls it.
    pub(super) fn used_runtime(&mut self) {
        self.runtime |= !self.inside;
    }
}

/// Words of advice in the runtime's terms, and the driver's for them.
const TERMS: [(&str, &str); 14] = [
    ("cudaDeviceSynchronize", "cuCtxSynchronize"),
    ("cudaStreamSynchronize", "cuStreamSynchronize"),
    ("cudaStreamWaitEvent", "cuStreamWaitEvent"),
    ("cudaEventSynchronize", "cuEventSynchronize"),
    ("cudaEventRecord", "cuEventRecord"),
    ("cudaFuncSetAttribute", "cuFuncSetAttribute"),
    (
        "cudaFuncAttributeMaxDynamicSharedMemorySize",
        "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES",
    ),
    ("cudaErrorNotReady", "CUDA_ERROR_NOT_READY"),
    ("cudaMalloc", "cuMemAlloc"),
    ("cudaMallocManaged", "cuMemAllocManaged"),
    ("cudaMallocHost", "cuMemAllocHost"),
    ("cudaMallocPitch", "cuMemAllocPitch"),
    ("cudaMemcpy", "cuMemcpy"),
    ("cudaFree", "cuMemFree"),
];

/// A function of the driver begins.
const BEGINS: i32 = 1;
/// A function of the driver ends.
const ENDS: i32 = 2;

/// Whether a function of the driver ends with this: its error was decided before.
pub(super) fn ends_driver_call(function: Library, args: &[u64; 8]) -> bool {
    function == Library::DriverCall && args[0] as i32 == ENDS
}

impl Interpreter<'_> {
    /// Whether the runtime was called (0); a function of the driver begins (1) or ends (2) with an error of
    /// the runtime, which becomes the driver's.
    pub(super) fn driver_call(&mut self, what: i32, error: Error) -> u64 {
        let calls = &mut self.runtime.driver;
        if what == 0 {
            return u64::from(calls.runtime);
        }
        calls.inside = what == BEGINS;
        (match error {
            INVALID_PITCH | INVALID_SYMBOL | INVALID_DIRECTION => INVALID_VALUE,
            INVALID_FUNCTION => INVALID_HANDLE,
            error => error,
        }) as u64
    }

    /// What to do, in the terms of the interface that the program uses.
    pub(crate) fn advice(&self, help: String) -> String {
        let calls = &self.runtime.driver;
        if calls.runtime && !calls.inside {
            return help;
        }
        let words = help.split_inclusive(|c: char| !c.is_alphanumeric());
        let words = words.map(|word| {
            let name = word.trim_end_matches(|c: char| !c.is_alphanumeric());
            let of_driver = TERMS.iter().find(|(runtime, _)| *runtime == name);
            of_driver.map_or(word.to_owned(), |(_, driver)| word.replacen(name, driver, 1))
        });
        words.collect()
    }

    /// The name of a function of the runtime, or of the driver's if one of those runs.
    pub(super) fn called_as(&self, runtime: &'static str, driver: &'static str) -> &'static str {
        if self.runtime.driver.inside { driver } else { runtime }
    }
}
