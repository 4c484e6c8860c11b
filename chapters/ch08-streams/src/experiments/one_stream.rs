//! # Eight pieces in one stream
//!
//! Eight pieces in one stream: everything waits for everything.

use super::common::{draw, untracked};
use anyhow::Result;
use verify::experiment::Lab;

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let context = untracked(lab)?;
    draw(lab, &context, 1)
}
