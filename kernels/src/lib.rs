//! The top rung of each ladder, callable from any cudarc program.
//!
//! A kernel's source travels in the crate and is compiled by NVRTC, for the device at hand, when
//! its type is made: building needs no CUDA. Everything that can be missing (the driver, NVRTC) or
//! refused is an [`Error`]; nothing panics.

pub mod reduce;

mod compile;

use cudarc::driver::DriverError;
use std::fmt;

/// Why a kernel cannot be made or run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// A library is not on the loader's path; the text says which and how to get it.
    Missing(&'static str),
    /// The driver refused.
    Driver(DriverError),
    /// NVRTC refused; the text is its log.
    Compile(String),
    /// The arguments do not fit the kernel.
    Argument(&'static str),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Missing(what) => f.write_str(what),
            Error::Driver(error) => write!(f, "the driver refuses: {error}"),
            Error::Compile(log) => write!(f, "NVRTC does not compile the kernel: {}", log.trim()),
            Error::Argument(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Error {}

impl From<DriverError> for Error {
    fn from(error: DriverError) -> Error {
        Error::Driver(error)
    }
}
