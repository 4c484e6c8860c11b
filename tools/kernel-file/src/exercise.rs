//! Exercises: a kernel file with regions that a reader writes, and the check of what was written.
//!
//! ```text
//! source    the file of an exercise: its statement, hints, gates and regions
//! gate      a bound on a counter
//! attempt   the text that a reader edits; its regions, cut out again
//! checker   whether an attempt is right, and how it compares: a kernel (check) or a host program (program)
//! outside   what a reader adds outside of the regions: structs and includes
//! shadow    variables of an answer that are called like functions outside of it
//! judge     one attempt at one size; rules: what else than the result must be in order
//! audit     whether the file keeps its promises: right answers pass, and wrong ones are rejected
//! ```
//!
//! A check is a function of two texts and a seed, so a page, a terminal and a test give one answer.

mod attempt;
mod audit;
mod check;
mod checker;
mod gate;
mod judge;
mod outside;
mod program;
mod rules;
mod shadow;
mod source;

pub use attempt::{BEGIN, END};
pub use check::{Checked, Failure, GateRow};
pub use checker::Checker;
pub use gate::{Gate, Relation};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use source::refusal;
pub use source::{Exercise, Kind, Right, Wrong, is_exercise};
