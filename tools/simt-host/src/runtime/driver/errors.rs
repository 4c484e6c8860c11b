//! The names and messages of the driver's errors, and the names of NVRTC's.

use crate::interpreter::Interpreter;
use crate::runtime::error::{self, Error};

/// The driver's header, whose enumerators are the names.
const HEADER: &str = include_str!("../../headers/cuda.h");

/// NVRTC's errors, from 0 on.
const NVRTC: [&str; 17] = [
    "NVRTC_SUCCESS",
    "NVRTC_ERROR_OUT_OF_MEMORY",
    "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
    "NVRTC_ERROR_INVALID_INPUT",
    "NVRTC_ERROR_INVALID_PROGRAM",
    "NVRTC_ERROR_INVALID_OPTION",
    "NVRTC_ERROR_COMPILATION",
    "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
    "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
    "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
    "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
    "NVRTC_ERROR_INTERNAL_ERROR",
    "NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
    "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
    "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
    "NVRTC_ERROR_PCH_CREATE",
    "NVRTC_ERROR_CANCELLED",
];

fn of_driver(error: Error) -> Option<&'static str> {
    let rows =
        HEADER.lines().filter_map(|line| line.trim().trim_end_matches(',').split_once(" = "));
    let mut errors =
        rows.filter(|(name, _)| *name == "CUDA_SUCCESS" || name.starts_with("CUDA_ERROR_"));
    errors.find(|(_, number)| number.parse() == Ok(error)).map(|(name, _)| name)
}

fn of_nvrtc(error: Error) -> Option<&'static str> {
    NVRTC.get(usize::try_from(error).ok()?).copied()
}

/// The name of what a function answers that is the driver's or NVRTC's.
pub(in crate::runtime) fn name_of(call: &str, error: Error) -> Option<&'static str> {
    match call {
        _ if call.starts_with("nvrtc") => of_nvrtc(error),
        _ if call.starts_with("cu") && !call.starts_with("cuda") => of_driver(error),
        _ => None,
    }
}

impl Interpreter<'_> {
    /// The name (0) or the message (1) of a `CUresult`, the name (2) of an `nvrtcResult`; null if there is
    /// no such one.
    pub(super) fn driver_error_text(&mut self, error: Error, what: i32) -> u64 {
        let text = match what {
            0 => of_driver(error),
            1 => of_driver(error).map(|_| error::message(error).unwrap_or("unknown error")),
            _ => of_nvrtc(error),
        };
        text.map_or(0, |text| self.constant_text(text))
    }
}
