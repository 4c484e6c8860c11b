//! # Model: eight pieces in four streams
//!
//! What should run when: the timetable of the model for eight pieces in four streams, from what the
//! three stages were measured to take alone. Nothing of it was seen; it is drawn to be compared.

use super::common::{median, stages, untracked};
use crate::model::{Engine, Order, makespan, timetable};
use anyhow::Result;
use verify::experiment::Lab;

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let context = untracked(lab)?;
    let whole = stages(lab, &context)?.map(|stage| median(&stage) * 1e3);
    let spans = timetable(whole, 8, 4, Order::DepthFirst);
    for span in &spans {
        let what = match span.engine {
            Engine::In => "copy in",
            Engine::Compute => "work",
            Engine::Out => "copy out",
        };
        lab.span(format!("stream {}", span.stream), what, span.start, span.end);
    }
    lab.row("all eight pieces, by the model").value("time_us", makespan(&spans));
    Ok(())
}
