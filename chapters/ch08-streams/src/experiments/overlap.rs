//! # Copies and kernels: arrangements
//!
//! The same array through the device in many ways, beside what the model foretells from the three
//! stages alone.

use super::common::{
    ROUNDS, median, numbers, pinned_times, stages, times, tracked, untracked, work,
};
use crate::model::{Order, makespan, timetable};
use crate::pipeline::{Pipeline, Plan};
use anyhow::Result;
use verify::experiment::Lab;

const PIECES: usize = 16;

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    use Order::{BreadthFirst, DepthFirst};
    let free = untracked(lab)?;
    let bound = tracked(lab)?;

    let whole = stages(lab, &free)?;
    for (name, stage) in ["in, alone", "work, alone", "out, alone"].into_iter().zip(&whole) {
        lab.row(name).samples("time_ms", stage);
    }
    for (name, context, streams, pieces, order) in [
        ("one stream, one piece", &free, 1, 1, DepthFirst),
        ("one stream, 16 pieces", &free, 1, PIECES, DepthFirst),
        ("2 streams, depth first", &free, 2, PIECES, DepthFirst),
        ("4 streams, depth first", &free, 4, PIECES, DepthFirst),
        ("4 streams, breadth first", &free, 4, PIECES, BreadthFirst),
        ("4 streams, event tracking", &bound, 4, PIECES, DepthFirst),
    ] {
        let measured = pinned_times(lab, context, streams, pieces, order)?;
        lab.row(name).samples("time_ms", &measured);
    }
    for (name, streams, pieces) in
        [("pageable, one piece", 1, 1), ("pageable, 4 streams", 4, PIECES)]
    {
        let n = numbers(lab);
        let mut pipeline = Pipeline::new(&free, work(lab)?, streams, n)?;
        let (mut from, mut to) = (vec![0.0; n], vec![0.0; n]);
        let plan = Plan { pieces, order: DepthFirst, rounds: ROUNDS };
        let measured = times(lab, &mut pipeline, &mut from, &mut to, plan)?;
        lab.row(name).samples("time_ms", &measured);
    }
    let whole = whole.map(|stage| median(&stage));
    for (name, streams, order) in [
        ("the model: one stream", 1, DepthFirst),
        ("the model: 4 streams, depth first", 4, DepthFirst),
        ("the model: 4 streams, breadth first", 4, BreadthFirst),
    ] {
        lab.row(name).value("time_ms", makespan(&timetable(whole, PIECES, streams, order)));
    }
    Ok(())
}
