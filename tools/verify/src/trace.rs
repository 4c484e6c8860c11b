//! What a single warp of a kernel file does, line by line and lane by lane: what figures are drawn
//! from. Nothing is judged, and nothing is kept: following a warp at the page's size is quick.

pub use crate::backend::sim::trace as follow;
pub use simt::observe::{Follow, Place, Served, Step, Touched, Trace, Work};
