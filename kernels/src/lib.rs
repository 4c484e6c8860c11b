//! The top rung of each ladder, callable from any cudarc program.
//!
//! A kernel's source travels in the crate and is compiled by NVRTC to machine code, for the device
//! at hand, when it is first asked for: building needs no CUDA. The machine code is kept in the
//! user's cache folder, or in the one that `KERNELS_CACHE` names (empty: nowhere), so the next
//! program does not compile it again.
//!
//! [`Kernels`] is a handle on one stream, as one of cuBLAS is; its methods are the kernels:
//!
//! | | |
//! |---|---|
//! | [`reduce`] | sum, product, smallest, largest |
//! | [`elementwise`] | copy, activations, bias with activation |
//! | [`transpose`] | a matrix turned over |
//! | [`rows`] | softmax, layernorm |
//! | [`matmul`] | products of f32, bf16, f16 |
//! | [`pipeline`] | in, work and out at the same time |
//!
//! How fast each of them is beside CUB, cuBLAS or the driver's copy, with its spread, stands in
//! `results/`, which the bench `measure` writes. A stream's calls run in their order and do not wait,
//! but for [`Kernels::reduce`], which returns a number.
//!
//! All of them work on compute capability 8.0 and later; what needs 9.0 (`wgmma`, the bulk tensor copy)
//! is chosen where present. Everything that can be missing (the driver,
//! NVRTC) or refused is an [`Error`]; nothing panics.

pub mod elementwise;
pub mod matmul;
pub mod pipeline;
#[doc(hidden)]
pub mod programs;
pub mod reduce;
pub mod rows;
pub mod transpose;

mod frame;
#[cfg(test)]
mod machine_code;
mod shape;

/// The README's example compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use frame::{Kernels, open};
pub use shape::Shape;

use cudarc::driver::DriverError;
use std::fmt;

/// Why a kernel cannot be made or run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A library is not on the loader's path; the text says which and how to get it.
    Missing(&'static str),
    /// The device cannot do it; the text says what it lacks.
    Unsupported(String),
    /// The driver refused.
    Driver(DriverError),
    /// The device has no room for what an argument needs.
    Memory {
        /// Which.
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
        /// Which.
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
            Error::Driver(error) => write!(f, "the driver refuses: {error}"),
            Error::Memory { name, needs, free } => {
                write!(f, "`{name}` needs {needs} bytes on the device, and {free} are free")
            }
            Error::Compile(log) => write!(f, "NVRTC does not compile the kernel: {}", log.trim()),
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
