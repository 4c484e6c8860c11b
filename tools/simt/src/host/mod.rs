//! The host: complete programs, with `main`.
//!
//! A program is one translation unit, and its host code is checked by the same front end as its
//! kernels. The kernels become bytecode for warps; the host code is run from its typed tree, one
//! thread, one statement after the other. What C++ can say of C's and C++'s library and of the CUDA
//! runtime is said in C++, in `syntax/headers/host`; what it cannot is a [`Library`] function.

mod library;

pub(crate) use library::{Library, Shape};

use crate::{Failure, Module, Sources};

/// A checked program.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its kernels.
    pub module: Module,
}

/// Compiles a program: the first file is the translation unit, the others are what it may
/// `#include`.
///
/// # Errors
/// As [`crate::compile`].
pub fn compile(sources: Sources) -> Result<Program, Failure> {
    let (module, ..) = crate::lower::program(sources)?;
    Ok(Program { module })
}
