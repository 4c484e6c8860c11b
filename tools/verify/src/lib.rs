//! What is true?
//!
//! ```text
//! project       where the book is, its chapters and files
//! kernel_file   one file: essay, directives (directive, expression, fill), code
//! unit          a text with the headers that it includes
//! plan          a kernel file at one size: arrays with bytes, launches with numbers
//! reference     the file's own expectation, as a generated kernel; compare: against it
//! backend       sim, nvrtc, gpu: who can say whether a promise is kept
//! trace         what one warp of a kernel file does, for figures
//! verifier      asks them, through the cache, and decides what is left out
//! page          what stands where in a page
//! fence         the code blocks of a page, and what they promise
//! mutate        can an expectation fail at all?
//! mutants       every barrier deleted, every bound shifted: is it noticed?
//! claims        rules of thumb, and whether the data bear them out
//! check         every promise of the book as a task; harness: the same as a chapter's tests
//! coverage      the notes that the book grew from, and where each row of them lives on
//! point         one value for each variable of a kernel file
//! experiment    host code of a chapter that measures something: what it is given, what it leaves
//! results       what was measured on hardware; measure: how; record: does it
//! ```
//!
//! Nothing here knows HTML, and nothing but `backend::gpu`, `measure` and `record` sees cudarc.
//! Nothing is printed: the standard output of a preprocessor is a protocol.
//! What is written is the cache under `target/verify`, which may be deleted at any time, and, by
//! `record` alone, a chapter's `results/`.

pub mod project;

pub mod compare;
pub mod directive;
pub mod expression;
pub mod fill;
mod half;
pub mod kernel_file;
mod line;
pub mod plan;
pub mod point;
pub mod reference;
pub mod suggest;
mod token;
mod toml_file;
pub mod unit;
pub mod words;

pub mod backend;
pub mod cache;
mod catch;
pub mod verdict;
pub mod verifier;

pub mod trace;

pub mod measure;
pub mod record;
pub mod results;

pub mod check;
pub mod claims;
pub mod coverage;
pub mod fence;
pub mod mutants;
mod mutate;
pub mod page;

#[cfg(feature = "harness")]
pub mod harness;

pub mod experiment;

/// What a multiprocessor holds: see [`simt::occupancy`].
pub use simt::occupancy;

pub use kernel_file::KernelFile;
pub use point::Point;
pub use project::{Chapter, Project};
pub use results::{Results, all_results, measurement_key};
pub use verdict::{Availability, BackendName, Problem, Status, Verdict};
pub use verifier::{Sizes, Verifier};
