//! Kernel files: CUDA kernels with directives that say how to run them and what to expect, and
//! whether the simulator confirms it.
//!
//! ```text
//! file          the text: essay, directives (directive, declared, exception, expression,
//!               fill, map), code; documentation: what each directive means; completion: what may
//!               stand at a place
//! unit          the text with the headers that it includes
//! point         one value for each variable of the file
//! plan          the file at one size: arrays with lengths, launches with numbers
//! exercise      a file with regions that a reader writes, and the check of what was written
//! reference     the expected values, by a generated kernel; compare: outputs with them; braces:
//!               what hides them
//! sizes         at which it is run: tests, page, or one
//! simulator     executes a plan and judges the result; catch: for a file with a defect
//! suppression   comments by which a source says that a finding is expected
//! verdict       what a back end found out about a file
//! infix         a generic parser of infix expressions
//! token         a C++ tokeniser; words, cursor: argument splitting; suggest: "did you mean"
//! text_error    an error at a place in a text; places: lines and columns by an index
//! ```
//!
//! Everything is a pure function of texts and numbers: no file is opened, no clock is read. So the
//! book's preprocessor, `cargo test` and a page in a browser find the same. The caller reads files.

#![forbid(unsafe_code)]
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod braces;
pub mod catch;
pub mod compare;
#[cfg(not(target_arch = "wasm32"))]
pub mod completion;
mod cursor;
mod declared;
pub mod directive;
pub mod documentation;
pub mod exception;
pub mod exercise;
pub mod expression;
pub mod file;
pub mod fill;
pub mod infix;
pub mod map;
pub mod places;
pub mod plan;
pub mod point;
pub mod reference;
pub mod simulator;
pub mod sizes;
pub mod suggest;
pub mod suppression;
pub mod text_error;
pub mod token;
pub mod unit;
pub mod verdict;
pub mod words;

pub use exercise::Exercise;
pub use file::KernelFile;
pub use places::Places;
pub use plan::Plan;
pub use point::Point;
pub use sizes::Sizes;
pub use text_error::TextError;
pub use unit::{Header, Unit};
pub use verdict::{Availability, BackendName, Problem, Status, Verdict};
