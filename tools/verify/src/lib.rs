//! What is true?
//!
//! ```text
//! project       where the book is, its chapters and files; include: reads them, with headers
//! kernel_file   the crate for one file: what it asks, and whether the simulator bears it out
//! backend       sim, nvrtc, gpu: who can say whether a promise is kept
//! trace         what one warp of a kernel file does, for figures
//! trial         a text that a reader has changed, on this machine's device, once
//! verifier      asks them, through the cache, and decides what is left out
//! page          a page's Markdown, parsed once: directives, code blocks, outline
//! parallel      independent work on all cores, reported in order
//! fence         the code blocks of a page, and what they promise
//! mutate        can an expectation fail at all?
//! mutants       every barrier deleted, every bound shifted: is it noticed?
//! claims        rules of thumb, and whether the data bear them out
//! check         every promise of the book as a task; harness: the same as a chapter's tests
//! coverage      the notes that the book grew from, and where each row of them lives on
//! experiment    host code of a chapter that measures something: what it is given, what it leaves
//! results       what was measured on hardware; measure: how; record: does it
//! ```
//!
//! Nothing here knows HTML, and nothing but `backend::gpu`, `measure` and `record` sees cudarc.
//! Nothing is printed: the standard output of a preprocessor is a protocol.
//! What is written is the cache under `target/verify`, which may be deleted at any time, and, by
//! `record` alone, a chapter's `results/`.

pub mod project;

mod include;
mod toml_file;

/// One kernel file by itself, without a project.
pub use kernel_file;
pub use kernel_file::{
    compare, directive, expression, fill, map, plan, point, reference, suggest, unit, verdict,
    words,
};

pub mod backend;
pub mod cache;
pub mod verifier;

pub mod trace;
pub mod trial;

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
pub mod parallel;

#[cfg(feature = "harness")]
pub mod harness;

pub mod experiment;

/// What a multiprocessor holds: see [`simt::occupancy`].
pub use simt::occupancy;

pub use kernel_file::{Availability, BackendName, KernelFile, Point, Problem, Status, Verdict};
pub use project::{Chapter, Project};
pub use results::{Results, all_results, measurement_key};
pub use verifier::{Sizes, Verifier};
