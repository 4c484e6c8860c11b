//! One self-describing text: what it asks, and whether the simulator bears it out.
//!
//! ```text
//! file          the text: essay, directives (directive, declared, exception, expression,
//!               fill, map), code
//! unit          the text with the headers that it includes
//! point         one value for each variable of the file
//! plan          the file at one size: arrays with bytes, launches with numbers
//! reference     the file's own expectation, as a generated kernel; compare: against it
//! simulator     carries out a plan, and judges what came of it; catch: for a file that is wrong
//! verdict       what is known of a file, whoever says so
//! token         a C++ text in pieces; words, line, suggest: small things that readers of texts need
//! ```
//!
//! Everything is a function of texts and numbers: no file is opened, no clock is read. So the book's
//! preprocessor, `cargo test` and a page in a browser mean the same by a kernel file, and find the
//! same. Whoever has files reads them first and hands over texts.

#![forbid(unsafe_code)]
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod catch;
pub mod compare;
mod declared;
pub mod directive;
pub mod exception;
pub mod expression;
pub mod file;
pub mod fill;
mod half;
pub mod infix;
mod line;
pub mod map;
pub mod plan;
pub mod point;
pub mod reference;
pub mod simulator;
pub mod suggest;
pub mod token;
pub mod unit;
pub mod verdict;
pub mod words;

pub use file::KernelFile;
pub use plan::Plan;
pub use point::Point;
pub use unit::{Header, Unit};
pub use verdict::{Availability, BackendName, Problem, Status, Verdict};
