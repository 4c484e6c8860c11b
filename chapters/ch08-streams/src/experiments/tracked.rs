//! # Eight pieces in four streams, with cudarc's event tracking
//!
//! Eight pieces in four streams, in a context as cudarc makes it: the pieces share a buffer, so they
//! wait for each other.

use super::common::{draw, tracked};
use anyhow::Result;
use verify::experiment::Lab;

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let context = tracked(lab)?;
    draw(lab, &context, 4)
}
