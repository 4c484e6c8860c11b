//! Follows a warp of a kernel file, or all warps of a block, line by line and lane by lane, for figures.
//! Nothing is judged or cached: tracing one block at the page's size is quick.

pub use crate::backend::sim::{trace as follow, trace_block};
pub use simt::Record;
pub use simt::observe::{ArraySpace, Follow, Served, Step, Touched, Trace, Work};
