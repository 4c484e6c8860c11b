//! Random CUDA programs that have one right answer, and what a GPU computed for them.
//!
//! [`generate`] writes the programs, [`hardware`] builds and runs them on a machine with a GPU,
//! [`recording`] is the file that comes out, and [`check`](mod@check) runs the same programs on the
//! simulator and compares.

#![forbid(unsafe_code)]

pub mod check;
pub mod generate;
pub mod hardware;
mod parallel;
pub mod recording;
mod simulator;
