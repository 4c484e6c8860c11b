//! # Eight pieces in four streams
//!
//! Eight pieces in four streams, in a context without event tracking: three engines at work.

use super::common::{draw, untracked};
use anyhow::Result;
use verify::experiment::Lab;

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let context = untracked(lab)?;
    draw(lab, &context, 4)
}
