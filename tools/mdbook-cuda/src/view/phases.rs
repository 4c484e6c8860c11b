//! `{{#phases FILE full empty}}`: the phases of a block's mbarriers, and what completes them.
//!
//! Events go from left to right in the order in which the simulator executed the block, which is one of
//! those that CUDA allows. They are equally far apart: no time of a GPU follows from it.

use super::part::block::Block;
use super::part::diagram::{self, Diagram, Drawn};
use super::part::html::with_code;
use super::part::number;
use super::part::svg::{Anchor, Drawing, WIDE, key};
use super::part::warp;
use super::part::words::{capital, plural};
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{Needs, WarpRequest};
use std::collections::BTreeSet;
use verify::trace::{ArraySpace, PhaseEnd};

#[derive(Debug)]
struct PhasesOf {
    request: WarpRequest,
    /// The arrays of mbarriers, in the order of their addresses.
    names: Vec<String>,
}

/// Reads `{{#phases FILE NAME...}}`.
pub(super) fn parse(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    diagram::parse(arguments, |options| {
        let names = options.plain.drain(options.plain.len().min(1)..).collect();
        Ok(Box::new(PhasesOf { request: options.warp()?, names }))
    })
}

impl Diagram for PhasesOf {
    fn needs(&self) -> Needs {
        Needs { blocks: vec![self.request.clone()], ..Needs::kernels() }
    }

    fn name(&self) -> String {
        warp::name("phases", &self.request)
    }

    fn draw(&self, page: &Context<'_>, id: &str) -> Result<Drawn, String> {
        draw(self, &Block::of(page, &self.request)?, id)
    }
}

/// Mbarriers that are drawn at most.
const MOST: usize = 12;

const LEFT: f64 = 74.0;
const PHASE: f64 = 15.0;
const LANE: f64 = 9.0;
const ROW: f64 = PHASE + 3.0 * LANE + 8.0;

/// A phase narrower than this has no number.
const NARROW: f64 = 9.0;

/// An mbarrier, and when something happens to it.
struct Mbarrier {
    name: String,
    /// The end of each phase, in order.
    ends: Vec<usize>,
    /// From the issue of a copy until it is done.
    copies: Vec<(usize, usize)>,
    arrivals: BTreeSet<usize>,
    /// When the wait of a warp ends, and it goes on.
    waits: BTreeSet<usize>,
}

impl Mbarrier {
    fn events(&self) -> impl Iterator<Item = usize> + '_ {
        let copies = self.copies.iter().flat_map(|(issued, done)| [*issued, *done]);
        let marks = self.arrivals.iter().chain(&self.waits).copied();
        self.ends.iter().copied().chain(copies).chain(marks)
    }
}

/// The mbarriers of a block, by address.
fn mbarriers(asked: &PhasesOf, block: &Block<'_>) -> Result<Vec<Mbarrier>, String> {
    let trace = block.trace;
    let places: BTreeSet<u32> = trace.phases.ends.iter().map(|end| end.mbarrier).collect();
    if places.is_empty() {
        let path = &block.kernel.path;
        return Err(format!("no phase of an mbarrier ends in {} of `{path}`", block.title()));
    }
    if places.len() > MOST {
        return Err(format!("{} has {} mbarriers: at most {MOST}", block.title(), places.len()));
    }
    let each = places.len() / asked.names.len().max(1);
    if each * asked.names.len() != places.len() && !asked.names.is_empty() {
        let (count, names) = (places.len(), asked.names.join("`, `"));
        return Err(format!("{count} mbarriers are not equally many of `{names}`"));
    }
    let name = |at: usize| match asked.names.get(at / each) {
        None => format!("mbarrier {at}"),
        Some(name) if each == 1 => name.clone(),
        Some(name) => format!("{name}[{}]", at % each),
    };
    let one = |(at, place): (usize, &u32)| Mbarrier {
        name: name(at),
        ends: of_place(&trace.phases.ends, *place),
        copies: (trace.phases.copies.iter().filter(|copy| copy.mbarrier == *place))
            .map(|copy| (copy.issued, copy.done.unwrap_or(trace.steps)))
            .collect(),
        arrivals: arrivals(block, *place).collect(),
        waits: (trace.phases.waits.iter().filter(|wait| wait.mbarrier == *place))
            .map(|wait| wait.time)
            .collect(),
    };
    Ok(places.iter().enumerate().map(one).collect())
}

fn of_place(ends: &[PhaseEnd], place: u32) -> Vec<usize> {
    ends.iter().filter(|end| end.mbarrier == place).map(|end| end.time).collect()
}

/// The steps in which a warp arrives at an mbarrier.
fn arrivals<'a>(block: &'a Block<'_>, place: u32) -> impl Iterator<Item = usize> + 'a {
    let at_place = move |touched: &verify::trace::Touched| {
        touched.space == ArraySpace::Shared
            && touched.verb == "atomic"
            && touched.lane_offsets().any(|(_, at)| at == place)
    };
    let accesses = block.trace.accesses.iter().filter(move |access| at_place(&access.touched));
    accesses.map(|access| access.time)
}

/// The figure of a block.
fn draw(asked: &PhasesOf, block: &Block<'_>, id: &str) -> Result<Drawn, String> {
    let all = mbarriers(asked, block)?;
    let events: BTreeSet<usize> = all.iter().flat_map(Mbarrier::events).collect();
    let events: Vec<usize> = events.into_iter().collect();
    let width = (WIDE - LEFT - 4.0) / (events.len() + 1) as f64;
    let mark = (width - 1.0).clamp(2.0, 6.0);
    let x = |time: usize| LEFT + width * events.partition_point(|event| *event < time) as f64;
    let mut drawing = Drawing::wide();
    let mut y = 2.0;
    for mbarrier in &all {
        drawing.text("cuda-mono", (LEFT - 6.0, y + 11.0), Anchor::End, &mbarrier.name);
        let mut from = 0;
        for (phase, end) in mbarrier.ends.iter().copied().chain([usize::MAX]).enumerate() {
            let (left, right) = (x(from), if end == usize::MAX { WIDE - 4.0 } else { x(end) });
            let class = if phase % 2 == 0 { "cuda-idle" } else { "cuda-moved" };
            drawing.rect(class, left + 0.5, y + 0.5, right - left - 1.0, PHASE - 1.0);
            if right - left >= NARROW {
                let middle = ((left + right) / 2.0, y + 11.0);
                drawing.text("cuda-tick", middle, Anchor::Middle, &phase.to_string());
            }
            from = end;
        }
        let lane = |number: f64| y + PHASE + 2.0 + number * LANE;
        for (issued, done) in &mbarrier.copies {
            let (left, right) = (x(*issued), x(*done));
            drawing.rect("cuda-fill-global", left, lane(0.0), (right - left).max(1.5), LANE - 2.0);
        }
        let marks = |drawing: &mut Drawing, class, number, times: &BTreeSet<usize>| {
            let at: Vec<_> = times.iter().map(|time| (x(*time), lane(number))).collect();
            drawing.boxes(class, &at, mark, LANE - 2.0);
        };
        marks(&mut drawing, "cuda-fill-exchange", 1.0, &mbarrier.arrivals);
        marks(&mut drawing, "cuda-fill-shared", 2.0, &mbarrier.waits);
        y += ROW;
    }
    let ended: usize = all.iter().map(|m| m.ends.len()).sum();
    let copies: usize = all.iter().map(|m| m.copies.len()).sum();
    let sentence = format!(
        "{}: {}, {} ended, and the bytes of {} bulk {} counted.",
        capital(&block.title()),
        plural(all.len() as u64, "mbarrier"),
        plural(ended as u64, "phase"),
        number::count(copies as u64),
        if copies == 1 { "copy" } else { "copies" },
    );
    let title = format!("Phases of the mbarriers of {}", block.kernel.file_name());
    let svg = drawing.finish(y - 4.0, id, &title, &sentence);
    let keys = [
        ("cuda-idle", "phase of parity 0"),
        ("cuda-moved", "phase of parity 1"),
        ("cuda-fill-global", "copy under way"),
        ("cuda-fill-exchange", "arrival"),
        ("cuda-fill-shared", "the wait of a warp ends"),
    ];
    let keys: String = keys.iter().map(|(class, text)| key(class, text)).collect();
    let html = format!(
        "<figure class=\"cuda-figure\">\n<div class=\"cuda-scroll\">{svg}</div><figcaption><p class=\"cuda-keys\">{keys}</p>\
         <p>{} From left to right: the order in which the simulator executed the block, event by event.\
         </p>{}</figcaption>\n</figure>",
        with_code(&sentence),
        block.link(),
    );
    Ok(Drawn { html, sentence })
}
