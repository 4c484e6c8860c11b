//! The host's side of chapter 9: an experiment on the CPU.

pub mod experiments;
