//! `{{#buffers FILE array=tiles parts=2}}`: when a block writes and reads its buffers in shared memory.
//!
//! Time goes from left to right in intervals between barriers, and a row is a buffer: an array, or one
//! of the equal parts of one. Where one buffer is written while another is read, work overlaps.

use super::part::block::Block;
use super::part::diagram::{self, Diagram, Drawn};
use super::part::html::with_code;
use super::part::number;
use super::part::svg::{Anchor, Drawing, WIDTH, key};
use super::part::warp;
use super::part::words::{capital, plural};
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{BlockAccess, Needs, WarpRequest};
use std::collections::{BTreeMap, BTreeSet};
use verify::trace::ArraySpace;

#[derive(Debug)]
struct Buffers {
    request: WarpRequest,
    parts: u32,
}

/// Reads `{{#buffers FILE}}`.
pub(super) fn parse(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    diagram::parse(arguments, |options| {
        let parts = options.number("parts")?.unwrap_or(1);
        let request = options.warp()?;
        let parts = u32::try_from(parts).ok().filter(|parts| (1..=MOST_PARTS).contains(parts));
        let parts = parts.ok_or_else(|| format!("`parts=` is 1 to {MOST_PARTS}"))?;
        if parts > 1 && request.array.is_none() {
            return Err("`parts=` divides one array: say which, as in `array=tiles`".to_string());
        }
        Ok(Box::new(Buffers { request, parts }))
    })
}

impl Diagram for Buffers {
    fn needs(&self) -> Needs {
        Needs { blocks: vec![self.request.clone()], ..Needs::kernels() }
    }

    fn name(&self) -> String {
        format!("{}-{}", warp::name("buffers", &self.request), self.parts)
    }

    fn draw(&self, page: &Context<'_>, id: &str) -> Result<Drawn, String> {
        draw(self, &Block::of(page, &self.request)?, id)
    }
}

/// Parts of an array at most.
const MOST_PARTS: u32 = 8;

/// Intervals that are drawn at most.
const SHOWN: u32 = 12;

const LEFT: f64 = 74.0;
const ROW: f64 = 26.0;

/// A buffer, and the intervals in which it is used.
#[derive(Debug, Default)]
struct Buffer {
    name: String,
    written: BTreeSet<u32>,
    read: BTreeSet<u32>,
}

/// The buffers in shared memory, by address.
fn buffers(asked: &Buffers, accesses: &[BlockAccess]) -> Vec<Buffer> {
    let wanted = |access: &&BlockAccess| {
        let touched = &access.touched;
        touched.space == ArraySpace::Shared
            && asked.request.array.as_ref().is_none_or(|array| *array == touched.array)
    };
    let mut ends: BTreeMap<u32, u32> = BTreeMap::new();
    for BlockAccess { touched, .. } in accesses.iter().filter(wanted) {
        let last = touched.lane_offsets().map(|(_, at)| at + touched.width).max();
        let end = ends.entry(touched.start).or_default();
        *end = (*end).max(last.unwrap_or_default());
    }
    let mut found: BTreeMap<(u32, u32), Buffer> = BTreeMap::new();
    for BlockAccess { touched, interval, .. } in accesses.iter().filter(wanted) {
        let size = (ends[&touched.start] - touched.start).div_ceil(asked.parts).max(1);
        for (_, at) in touched.lane_offsets() {
            let part = (at - touched.start) / size;
            let buffer = found.entry((touched.start, part)).or_default();
            if buffer.name.is_empty() {
                let array = &touched.array;
                buffer.name =
                    if asked.parts > 1 { format!("{array}[{part}]") } else { array.clone() };
            }
            let when = if touched.verb == "read" { &mut buffer.read } else { &mut buffer.written };
            when.insert(*interval);
        }
    }
    found.into_values().collect()
}

/// The figure of a block.
fn draw(asked: &Buffers, block: &Block<'_>, id: &str) -> Result<Drawn, String> {
    let buffers = buffers(asked, &block.trace.accesses);
    let used = buffers.iter().flat_map(|b| b.written.union(&b.read)).copied().max();
    let Some(last) = used else {
        let path = &block.kernel.path;
        return Err(format!("{} of `{path}` makes no such access", block.title()));
    };
    let all = last + 1;
    let shown = all.min(SHOWN);
    let width = (WIDTH - LEFT - 4.0) / f64::from(shown);
    let x = |interval: u32| LEFT + f64::from(interval) * width;
    let mut drawing = Drawing::default();
    for interval in 0..shown {
        let middle = x(interval) + width / 2.0;
        drawing.text("cuda-tick", (middle, 10.0), Anchor::Middle, &(interval + 1).to_string());
    }
    let mut y = 16.0;
    for buffer in &buffers {
        drawing.text("cuda-mono", (LEFT - 6.0, y + 15.0), Anchor::End, &buffer.name);
        for interval in 0..shown {
            let (x, wide) = (x(interval) + 2.0, width - 4.0);
            let (written, read) =
                (buffer.written.contains(&interval), buffer.read.contains(&interval));
            // Both in one interval share its box.
            let height = if written && read { (ROW - 6.0) / 2.0 } else { ROW - 6.0 };
            if written {
                drawing.rect("cuda-fill-global", x, y, wide, height);
            }
            if read {
                let top = if written { y + height } else { y };
                drawing.rect("cuda-fill-shared", x, top, wide, height);
            }
            if !written && !read {
                drawing.rect("cuda-idle", x + 0.5, y + 0.5, wide - 1.0, ROW - 7.0);
            }
        }
        y += ROW;
    }
    for interval in 1..shown {
        drawing.line("cuda-barrier", (x(interval), 14.0), (x(interval), y - 2.0));
    }
    let overlaps = (0..all)
        .filter(|interval| buffers.iter().any(|b| b.written.contains(interval)))
        .filter(|interval| buffers.iter().any(|b| b.read.contains(interval)))
        .count();
    let sentence = format!(
        "{}: {} between barriers{}. One buffer is written while {} is read in {} of them.",
        capital(&block.title()),
        plural(u64::from(all), "interval"),
        if shown < all { format!(", of which the first {shown} are drawn") } else { String::new() },
        if buffers.len() == 1 { "it" } else { "another" },
        if overlaps == 0 { "none".to_string() } else { number::count(overlaps as u64) },
    );
    let title = format!("Buffers of {}", block.kernel.file_name());
    let svg = drawing.finish(y, id, &title, &sentence);
    let sentence = with_code(&sentence);
    let html = format!(
        "<figure class=\"cuda-figure\">\n{svg}<figcaption><p class=\"cuda-keys\">{}{}{}{}</p>\
         <p>{sentence}</p>{}</figcaption>\n</figure>",
        key("cuda-fill-global", "written"),
        key("cuda-fill-shared", "read"),
        key("cuda-idle", "not used"),
        key("cuda-barrier", "barrier"),
        block.link(),
    );
    Ok(Drawn { html, sentence })
}
