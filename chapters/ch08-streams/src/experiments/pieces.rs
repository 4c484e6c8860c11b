//! # Four streams, by number of pieces
//!
//! More and more pieces for the same four streams. Small pieces leave less to wait for at either
//! end, but each costs three calls, and a small copy is slow.

use super::common::{median, pinned_times, stages, untracked};
use crate::model::{Order, makespan, timetable};
use anyhow::Result;
use verify::experiment::Lab;

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let context = untracked(lab)?;
    let counts: &[usize] =
        if lab.quick() { &[1, 16] } else { &[1, 2, 4, 8, 16, 32, 64, 256, 1024] };
    let whole = stages(lab, &context)?.map(|stage| median(&stage));
    for &pieces in counts {
        let measured = pinned_times(lab, &context, 4, pieces, Order::DepthFirst)?;
        lab.row("measured").x("pieces", pieces as f64).samples("time_ms", &measured);
        let foretold = makespan(&timetable(whole, pieces, 4, Order::DepthFirst));
        lab.row("the model").x("pieces", pieces as f64).value("time_ms", foretold);
    }
    Ok(())
}
