//! The host's side of chapter 11: the rungs below the library `kernels`, beside the library itself.
//!
//! The rungs are kernel files, as in every chapter. What they lead to is a crate, so [`experiments`]
//! call it as any program would.

pub mod experiments;
