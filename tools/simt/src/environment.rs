//! The hosted environment of a program: the C, C++ and CUDA-runtime library that its host code may
//! use, described as data.
//!
//! Semantic analysis checks the host code of a program with its kernels, because both share one
//! translation unit. Which headers exist and which functions lie below them is the business of the
//! crate that runs the host code, so the caller of [`crate::compile_program`] passes it in.

/// The text of a file that stands for the built-in header of its name, where a build looks for a file.
pub const BUILT_IN_HEADER: &str = "// cuda-sim has the contents of this header.\n";

/// What the host code of a program may include and call.
#[derive(Debug)]
pub struct HostEnvironment {
    /// C++ text before the toolkit's own declarations: predefined macros.
    pub macros: &'static str,
    /// C++ text after the toolkit's own declarations: what nvcc includes by itself.
    pub declarations: &'static str,
    /// Texts that are read only if the source contains one of these words: they are long, and few
    /// programs need them.
    pub where_named: &'static [(&'static [&'static str], &'static str)],
    /// The text of a header by its name, as `#include` has it; `None` if there is no such header.
    pub header: fn(&str) -> Option<&'static str>,
    /// Whether a function without `__host__` and `__device__` may be called from both sides.
    pub both_sides: bool,
    /// The functions that the headers cannot express in C++.
    pub functions: &'static [LibraryFunction],
}

/// A library function that the headers call and that is not written in C++.
#[derive(Debug)]
pub struct LibraryFunction {
    /// Its name, with the prefix `__host_`. A variadic function is also found without the prefix,
    /// because no header can pass variadic arguments on: `printf` is `__host_printf`.
    pub name: &'static str,
    /// The types of its parameters.
    pub params: &'static [CType],
    /// Whether more arguments may follow, promoted as C promotes variadic arguments.
    pub variadic: bool,
    /// The type of its result.
    pub result: CType,
}

/// The files that a unit may include besides the built-in headers. The caller implements it, because
/// this crate does no I/O, and decides which files may be read.
pub trait Files {
    /// The file that an `#include` means; `None` if there is none, an error if it may not be read.
    ///
    /// # Errors
    /// Why the file may not be read.
    fn find(&mut self, include: &Include<'_>) -> Result<Option<Found>, String>;

    /// The text of a file that was found.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn read(&mut self, found: &Found) -> Result<String, String>;
}

/// An `#include` that is to be resolved.
#[derive(Debug, Clone, Copy)]
pub struct Include<'a> {
    /// The name, without quotes or brackets.
    pub name: &'a str,
    /// Whether it is in quotes: such a name is looked up beside the including file first.
    pub quoted: bool,
    /// The name of the including file: [`Found::name`], or that of the unit.
    pub from: &'a str,
}

/// A file that an `#include` means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its name in messages.
    pub name: String,
    /// The same for each spelling of its path: a file is read once, and `#pragma once` holds for
    /// all spellings.
    pub identity: String,
}

/// The type of a parameter or of the result of a library function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CType {
    /// `void`: no result.
    Void,
    /// `int`.
    Int,
    /// `unsigned int`.
    UInt,
    /// `long long`.
    LongLong,
    /// `size_t`.
    Size,
    /// `double`.
    Double,
    /// `void*`: any pointer converts.
    Pointer,
}

impl HostEnvironment {
    /// The library function that a call of `name` means, and its index in
    /// [`HostEnvironment::functions`].
    pub(crate) fn function(&self, name: &str) -> Option<(u32, &'static LibraryFunction)> {
        let is_meant = |function: &LibraryFunction| {
            let plain = function.name.strip_prefix("__host_");
            function.name == name || (function.variadic && plain == Some(name))
        };
        let index = self.functions.iter().position(is_meant)?;
        Some((index as u32, &self.functions[index]))
    }
}
