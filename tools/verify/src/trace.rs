//! Follows a single warp of a kernel file, line by line and lane by lane, for figures. Nothing is
//! judged or cached: tracing one warp at the page's size is quick.

pub use crate::backend::sim::trace as follow;
pub use simt::observe::{ArraySpace, Follow, Served, Step, Touched, Trace, Work};
