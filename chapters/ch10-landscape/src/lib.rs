//! The host's side of chapter 10: the same questions, asked of the CPU.
//!
//! How long does one chain of operations take, that nothing can shorten? How many operations a
//! second do all cores do together, and how many bytes do they move? [`cpu`] answers in plain Rust,
//! which the compiler turns into vector instructions where it may.

pub mod cpu;
pub mod experiments;
