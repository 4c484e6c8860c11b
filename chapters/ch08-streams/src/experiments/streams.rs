//! # Sixteen pieces, by number of streams
//!
//! More and more streams for the same sixteen pieces. There are three things to do at a time, so
//! three streams should be enough; the model says so, and the clock is asked.

use super::common::{median, pinned_times, stages, untracked};
use crate::model::{Order, makespan, timetable};
use anyhow::Result;
use verify::experiment::Lab;

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let context = untracked(lab)?;
    let counts: &[usize] = if lab.quick() { &[1, 4] } else { &[1, 2, 3, 4, 8, 16] };
    let whole = stages(lab, &context)?.map(|stage| median(&stage));
    for &streams in counts {
        let measured = pinned_times(lab, &context, streams, 16, Order::DepthFirst)?;
        lab.row("measured").x("streams", streams as f64).samples("time_ms", &measured);
        let foretold = makespan(&timetable(whole, 16, streams, Order::DepthFirst));
        lab.row("the model").x("streams", streams as f64).value("time_ms", foretold);
    }
    Ok(())
}
