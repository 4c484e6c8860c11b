//! The host: complete programs, with `main`.
//!
//! A program is one translation unit, and its host code is checked by the same front end as its
//! kernels. The kernels become bytecode for warps; the host code is run from its typed tree, one
//! thread, one statement after the other. What C++ can say of C's and C++'s library and of the CUDA
//! runtime is said in C++, in `syntax/headers/host`; what it cannot is a [`Library`] function.

mod library;

pub(crate) use library::{Library, Shape};
