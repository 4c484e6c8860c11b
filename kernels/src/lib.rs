//! The top rung of each ladder, callable from any cudarc program.
//!
//! The crate contains the kernels' sources. NVRTC compiles a kernel for the current device on its
//! first use, so building needs no CUDA. The machine code is cached in the user's cache folder, or in
//! the folder that `KERNELS_CACHE` names (empty: no cache).
//!
//! [`Kernels`] is a handle on one stream, as one of cuBLAS is; its methods are the kernels:
//!
//! | | |
//! |---|---|
//! | [`reduce`] | sum, product, minimum, maximum |
//! | [`elementwise`] | copy, activations, bias with activation |
//! | [`transpose`] | a matrix transposed |
//! | [`rows`] | softmax, layernorm |
//! | [`matmul`] | products of f32, bf16, f16 |
//! | [`pipeline`] | copy in, kernel and copy out, overlapped |
//!
//! The bench `measure` compares each with CUB, cuBLAS or the driver's copy and writes medians and
//! spreads to `results/`. Calls on one stream run in order and return before the work is done; only
//! [`Kernels::reduce`], which returns a number, waits.
//!
//! All of them work on compute capability 8.0 and later. On 9.0 the kernels that use `wgmma` and bulk
//! tensor copies are chosen. A missing driver or NVRTC, and every refusal, is an [`Error`]; nothing
//! panics.

pub mod elementwise;
pub mod matmul;
pub mod pipeline;
#[doc(hidden)]
pub mod programs;
pub mod reduce;
pub mod rows;
pub mod transpose;

mod handle;
#[cfg(test)]
mod machine_code;
mod shape;

/// The README's example compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use handle::{Kernels, open};
pub use shape::Shape;

use cudarc::driver::DriverError;
use std::fmt;

/// Why a kernel cannot be compiled or run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A library is not on the loader's path; the text says which and how to get it.
    Missing(&'static str),
    /// The device cannot do it; the text says what it lacks.
    Unsupported(String),
    /// The driver refused.
    Driver(DriverError),
    /// The device has too little free memory for an argument.
    Memory {
        /// The argument.
        name: &'static str,
        /// Bytes that it needs on the device.
        needs: usize,
        /// Bytes that were free.
        free: usize,
    },
    /// NVRTC refused; the text is its log.
    Compile(String),
    /// An argument does not fit.
    Argument {
        /// The argument.
        name: &'static str,
        /// What is wrong with it, and the limit.
        why: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Missing(what) => f.write_str(what),
            Error::Unsupported(what) => f.write_str(what),
            Error::Driver(error) => write!(f, "the driver returned an error: {error}"),
            Error::Memory { name, needs, free } => {
                write!(f, "`{name}` needs {needs} bytes on the device, and {free} are free")
            }
            Error::Compile(log) => write!(f, "NVRTC cannot compile the kernel: {}", log.trim()),
            Error::Argument { name, why } => write!(f, "`{name}` {why}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<DriverError> for Error {
    fn from(error: DriverError) -> Error {
        Error::Driver(error)
    }
}
