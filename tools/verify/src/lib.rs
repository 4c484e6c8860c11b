//! What is true?
//!
//! A kernel file ([`kernel_file`]) says how it is launched and what must come out. This crate runs
//! it on every back end that is present ([`backend`]), remembers the verdicts ([`cache`]), and
//! keeps what was measured on hardware ([`results`]).
//!
//! It knows no HTML, and nothing in it but `backend::{nvrtc, gpu}` and `measure` sees cudarc.

pub mod project;

pub mod compare;
pub mod directive;
pub mod expression;
pub mod fill;
pub mod kernel_file;
mod line;
pub mod plan;
pub mod reference;
pub mod suggest;
mod token;
pub mod unit;

pub mod backend;
pub mod cache;
mod catch;
pub mod verdict;
pub mod verifier;

pub mod measure;
pub mod results;

pub mod check;
pub mod fence;
mod mutate;

#[cfg(feature = "harness")]
pub mod harness;

pub use kernel_file::KernelFile;
pub use project::{Chapter, Project};
pub use results::{Results, all_results, measurement_key};
pub use verdict::{Availability, BackendName, Problem, Status, Verdict};
pub use verifier::{Sizes, Verifier};
