//! The host's side of chapter 8: copies and kernels at the same time.
//!
//! [`pipeline`] is what the page shows: an array goes to the device in pieces, is worked on there,
//! and comes back, each piece in one of several streams. [`model`] foretells how long that takes,
//! from three durations and the rule that a stream keeps its order. [`experiments`] measures both.
//!
//! cudarc's *event tracking* is the trap of this chapter. By default every buffer remembers, by two
//! events, who used it last, and waits for them. The parts of one buffer share its events, so pieces
//! in different streams wait for each other and nothing overlaps. The pipeline therefore runs in a
//! context without tracking, and does by hand what is then left to do: wait before it returns.

pub mod experiments;
pub mod model;
pub mod pipeline;
