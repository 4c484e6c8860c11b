//! Checks everything that the book claims: kernels, fences, recordings, claims, coverage.
//!
//! ```text
//! project       the book's folder, its chapters and files; include: reads them, with headers
//! backend       sim, nvrtc, gpu: what can check a kernel file
//! trace         follows one warp of a kernel file, for figures
//! trial         runs a reader's edited kernel once on the local GPU
//! verifier      asks the back ends, through the cache, and decides what is skipped
//! worker        child processes in which a server verifies
//! page          a page's Markdown, parsed once: directives, code blocks, outline
//! parallel      independent work on all cores, reported in order
//! fence         the code blocks of a page, and what they promise
//! mutate        checks by mutation that a file's expected values can fail
//! mutants       mutation tests: every barrier deleted, every bound shifted by one
//! claims        rules of thumb, and whether the data confirm them
//! quiz          multiple choice whose right answers are computed
//! check         every promise of the book as a task; harness: the tasks as a chapter's tests
//! coverage      the notes that the book grew from, and the section that treats each row
//! experiment    host code of a chapter that measures something
//! number        numbers as the book prints them
//! results       recorded measurements; measure: times kernels; record: makes the recordings
//! ```
//!
//! No module knows HTML, and none but `backend::gpu`, `measure` and `record` sees cudarc.
//! Nothing is printed: the standard output of a preprocessor is a protocol.
//! Files are written in two places: the cache under `target/verify`, which may be deleted at any
//! time, and, by `record` alone, a chapter's `results/`.

pub mod project;

pub mod include;
mod toml_file;

pub mod backend;
pub mod cache;
pub mod verifier;
pub mod worker;

pub mod trace;
pub mod trial;

pub mod machines;
pub mod measure;
pub mod record;
pub mod results;

pub mod check;
pub mod claims;
pub mod coverage;
pub mod fence;
pub mod hacks;
pub mod mutants;
mod mutate;
pub mod number;
pub mod page;
pub mod parallel;
pub mod quiz;

#[cfg(feature = "harness")]
pub mod harness;

pub mod experiment;

/// How many blocks and warps a multiprocessor holds: see [`simt::occupancy`].
pub use simt::occupancy;

pub use kernel_file::Sizes;
pub use kernel_file::{Availability, BackendName, KernelFile, Point, Problem, Status, Verdict};
pub use machines::{RecordedMachine, machines};
pub use project::{Chapter, PlacedExercise, Project};
pub use results::{Results, all_results, measurement_key};
pub use verifier::Verifier;
pub use worker::Workers;
