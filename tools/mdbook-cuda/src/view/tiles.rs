//! `{{#tiles FILE step=0,1,2}}`: the parts of square matrices that a block loads and stores.
//!
//! Of three matrices the second stands above the third and the first on its left, as for a product:
//! the rows of `a` lead to `c`, and so do the columns of `b`. A step is an interval between barriers in
//! which the block loads from global memory. What one thread loads and stores can be shown within it.

use super::part::block::Block;
use super::part::diagram::{self, Diagram, Drawn};
use super::part::html::with_code;
use super::part::svg::{Anchor, Drawing, WIDTH, key};
use super::part::warp;
use super::part::words::{capital, plural};
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{BlockAccess, Needs, WarpRequest};
use std::collections::BTreeSet;
use verify::trace::ArraySpace;

#[derive(Debug)]
struct Tiles {
    request: WarpRequest,
    step: Option<u64>,
    thread: Option<u64>,
}

/// Reads `{{#tiles FILE}}`.
pub(super) fn parse(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    diagram::parse(arguments, |options| {
        let (step, thread) = (options.number("step")?, options.number("thread")?);
        Ok(Box::new(Tiles { request: options.warp()?, step, thread }))
    })
}

impl Diagram for Tiles {
    fn needs(&self) -> Needs {
        Needs { blocks: vec![self.request.clone()], ..Needs::kernels() }
    }

    fn name(&self) -> String {
        let number = |n: Option<u64>| n.map_or(String::new(), |n| n.to_string());
        let name = warp::name("tiles", &self.request);
        format!("{name}-{}-{}", number(self.step), number(self.thread))
    }

    fn draw(&self, page: &Context<'_>, id: &str) -> Result<Drawn, String> {
        draw(self, &Block::of(page, &self.request)?, id)
    }
}

/// Row and column of an element.
type Place = (u64, u64);

/// A matrix, and what the block does with it.
#[derive(Debug)]
struct Matrix<'a> {
    name: &'a str,
    /// Loaded in the step, or in any where none is chosen.
    now: BTreeSet<Place>,
    before: BTreeSet<Place>,
    stored: BTreeSet<Place>,
    /// What the thread stores, and what it loads in the step.
    thread: BTreeSet<Place>,
    /// What the other threads of its warp store.
    warp: BTreeSet<Place>,
}

/// Neighbouring elements as a rectangle: first row and column, rows, columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rectangle {
    row: u64,
    column: u64,
    rows: u64,
    columns: u64,
}

/// A set of elements as rectangles: runs of a row, and equal runs of rows below each other.
fn rectangles(elements: &BTreeSet<Place>) -> Vec<Rectangle> {
    let mut runs: Vec<Rectangle> = Vec::new();
    for &(row, column) in elements {
        match runs.last_mut() {
            Some(run) if run.row == row && run.column + run.columns == column => run.columns += 1,
            _ => runs.push(Rectangle { row, column, rows: 1, columns: 1 }),
        }
    }
    let mut found: Vec<Rectangle> = Vec::new();
    for run in runs {
        let above = found
            .iter_mut()
            .find(|r| (r.column, r.columns, r.row + r.rows) == (run.column, run.columns, run.row));
        match above {
            Some(above) => above.rows += 1,
            None => found.push(run),
        }
    }
    found
}

/// `rows 0 to 15, columns 32 to 47`; for more than four rectangles their number.
fn in_words(elements: &BTreeSet<Place>) -> String {
    let range = |what: &str, first: u64, count: u64| match count {
        1 => format!("{what} {first}"),
        _ => format!("{what}s {first} to {}", first + count - 1),
    };
    let found = rectangles(elements);
    if found.len() > 4 {
        return format!("{} separate pieces", found.len());
    }
    let words = |one: &Rectangle| {
        let columns = range("column", one.column, one.columns);
        format!("{}, {columns}", range("row", one.row, one.rows))
    };
    found.iter().map(words).collect::<Vec<_>>().join("; ")
}

/// The intervals in which the block loads from global memory.
fn steps(accesses: &[BlockAccess]) -> Vec<u32> {
    let loads = |access: &&BlockAccess| {
        access.touched.space == ArraySpace::Global && access.touched.verb == "read"
    };
    let all: BTreeSet<u32> = accesses.iter().filter(loads).map(|a| a.interval).collect();
    all.into_iter().collect()
}

/// The matrices that the block accesses, in the order of the file's directives.
fn matrices<'a>(
    asked: &Tiles,
    block: &Block<'a>,
    steps: &[u32],
) -> Result<Vec<Matrix<'a>>, String> {
    let n = block.trace.address.n;
    let now = match asked.step {
        None => None,
        Some(step) => Some(*steps.get(step as usize).ok_or_else(|| {
            format!("`step={step}`: {} loads in {} steps, from 0", block.title(), steps.len())
        })?),
    };
    let mut found = Vec::new();
    for array in &block.kernel.file.directives.arrays {
        if asked.request.array.as_ref().is_some_and(|wanted| *wanted != array.name) {
            continue;
        }
        let mut matrix = Matrix {
            name: &array.name,
            now: BTreeSet::new(),
            before: BTreeSet::new(),
            stored: BTreeSet::new(),
            thread: BTreeSet::new(),
            warp: BTreeSet::new(),
        };
        let own = block.trace.accesses.iter().filter(|a| a.touched.array == array.name);
        for BlockAccess { warp, interval, touched, .. } in own {
            let is_load = touched.verb == "read";
            for (lane, at) in touched.lane_offsets() {
                for byte in (at..at + touched.width).step_by(touched.element.max(1) as usize) {
                    let element = u64::from(byte / touched.element.max(1));
                    if element >= n * n {
                        let name = &array.name;
                        return Err(format!("`{name}` is no matrix of {n} rows and columns"));
                    }
                    let place = (element / n, element % n);
                    let is_now = !is_load || now.is_none_or(|now| now == *interval);
                    match now {
                        _ if !is_load => matrix.stored.insert(place),
                        Some(now) if *interval < now => matrix.before.insert(place),
                        Some(now) if *interval > now => false,
                        _ => matrix.now.insert(place),
                    };
                    let thread = u64::from(warp * 32 + lane);
                    if asked.thread == Some(thread) && is_now {
                        matrix.thread.insert(place);
                    } else if asked.thread.is_some_and(|t| t / 32 == u64::from(*warp)) && !is_load {
                        matrix.warp.insert(place);
                    }
                }
            }
        }
        if !(matrix.now.is_empty() && matrix.before.is_empty() && matrix.stored.is_empty()) {
            found.push(matrix);
        }
    }
    if found.is_empty() {
        return Err(format!("{} of `{}` makes no such access", block.title(), block.kernel.path));
    }
    Ok(found)
}

const MARGIN: f64 = 4.0;
const GAP: f64 = 22.0;
/// The elements of the thread, and the least side of one of them: it has a frame.
const THREAD: &str = "cuda-one";
const LEAST: f64 = 6.0;

/// The corner of each matrix, the side of all, and the height of the figure.
fn places(count: usize) -> (Vec<(f64, f64)>, f64, f64) {
    let half = (WIDTH - 2.0 * MARGIN - GAP) / 2.0;
    let (left, right) = (MARGIN, MARGIN + half + GAP);
    let (top, below) = (GAP - 6.0, GAP - 6.0 + half + GAP);
    match count {
        1 => (vec![(MARGIN, top)], 240.0, top + 240.0 + MARGIN),
        3 => (vec![(left, below), (right, top), (right, below)], half, below + half + MARGIN),
        _ => {
            let at = |i: usize| {
                let y = top + (half + GAP) * (i / 2) as f64;
                (if i.is_multiple_of(2) { left } else { right }, y)
            };
            let rows = count.div_ceil(2) as f64;
            ((0..count).map(at).collect(), half, top + rows * (half + GAP))
        }
    }
}

/// The figure of a block.
fn draw(asked: &Tiles, block: &Block<'_>, id: &str) -> Result<Drawn, String> {
    let steps = steps(&block.trace.accesses);
    let matrices = matrices(asked, block, &steps)?;
    let (corners, side, height) = places(matrices.len());
    let scale = side / block.trace.address.n as f64;
    let mut drawing = Drawing::default();
    let mut keys: Vec<(&str, String)> = Vec::new();
    let thread = asked.thread.map_or(String::new(), |t| format!("thread {t}"));
    let warp = format!("stored by the warp of {thread}");
    for (matrix, (x, y)) in matrices.iter().zip(corners) {
        drawing.text("cuda-mono", (x, y - 4.0), Anchor::Start, matrix.name);
        drawing.rect("cuda-still", x + 0.5, y + 0.5, side - 1.0, side - 1.0);
        let now = if asked.step.is_some() { "loaded in this step" } else { "loaded" };
        for (class, words, elements) in [
            ("cuda-moved", "loaded before", &matrix.before),
            ("cuda-fill-global", now, &matrix.now),
            ("cuda-fill-bar", "stored by the block", &matrix.stored),
            ("cuda-fill-shared", warp.as_str(), &matrix.warp),
            (THREAD, thread.as_str(), &matrix.thread),
        ] {
            for r in rectangles(elements) {
                // A gap of a hair keeps neighbouring pieces apart.
                let (w, h) = (r.columns as f64 * scale, r.rows as f64 * scale);
                let at = (x + r.column as f64 * scale, y + r.row as f64 * scale);
                let least = if class == THREAD { LEAST } else { 0.8 };
                let (wide, high) = ((w - 0.4).max(least), (h - 0.4).max(least));
                // What is drawn larger than it is stays in its place.
                let (left, up) = ((wide - w).max(0.0) / 2.0, (high - h).max(0.0) / 2.0);
                drawing.rect(class, at.0 - left, at.1 - up, wide, high);
            }
            let words = words.to_string();
            if !elements.is_empty() && !keys.iter().any(|(known, _)| *known == class) {
                keys.push((class, words));
            }
        }
    }
    let sentence = sentence(asked, block, &matrices, steps.len());
    let title = format!("Matrices of {}", block.kernel.file_name());
    let svg = drawing.finish(height, id, &title, &sentence);
    let sentence = with_code(&sentence);
    let keys: String = keys.iter().map(|(class, words)| key(class, words)).collect();
    let html = format!(
        "<figure class=\"cuda-figure\">\n{svg}<figcaption><p class=\"cuda-keys\">{keys}</p>\
         <p>{sentence}</p>{}</figcaption>\n</figure>",
        block.link(),
    );
    Ok(Drawn { html, sentence })
}

/// The figure in words.
fn sentence(asked: &Tiles, block: &Block<'_>, matrices: &[Matrix<'_>], steps: usize) -> String {
    let mut out = capital(&block.title());
    if let Some(step) = asked.step {
        out.push_str(&format!(", step {step}, of 0 to {}", steps.saturating_sub(1)));
    }
    let parts = |verb: &str, of: &dyn Fn(&Matrix<'_>) -> BTreeSet<Place>| {
        let some = matrices.iter().map(|m| (m.name, of(m))).filter(|(_, set)| !set.is_empty());
        let parts: Vec<String> = some
            .map(|(name, set)| {
                let count = plural(set.len() as u64, "element");
                format!("{count} of `{name}` ({})", in_words(&set))
            })
            .collect();
        if parts.is_empty() { None } else { Some(format!("{verb} {}", parts.join(" and "))) }
    };
    let said = [parts("it loads", &|m| m.now.clone()), parts("it stores", &|m| m.stored.clone())];
    out.push_str(": ");
    out.push_str(&said.into_iter().flatten().collect::<Vec<_>>().join("; "));
    out.push('.');
    if let (Some(thread), Some(said)) = (asked.thread, parts("has", &|m| m.thread.clone())) {
        out.push_str(&format!(" Thread {thread} {said}."));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(places: &[Place]) -> BTreeSet<Place> {
        places.iter().copied().collect()
    }

    #[test]
    fn neighbours_become_rectangles_and_nothing_is_lost() {
        let square: BTreeSet<Place> = (2..4).flat_map(|r| (5..8).map(move |c| (r, c))).collect();
        let one = Rectangle { row: 2, column: 5, rows: 2, columns: 3 };
        assert_eq!(rectangles(&square), [one]);
        assert_eq!(in_words(&square), "rows 2 to 3, columns 5 to 7");
        let corner = set(&[(0, 0), (0, 1), (1, 0)]);
        assert_eq!(rectangles(&corner).iter().map(|r| r.rows * r.columns).sum::<u64>(), 3);
        assert_eq!(in_words(&set(&[(0, 0), (9, 9)])), "row 0, column 0; row 9, column 9");
        let diagonal: BTreeSet<Place> = (0..5).map(|i| (i, i)).collect();
        assert_eq!(in_words(&diagonal), "5 separate pieces");
        assert_eq!(in_words(&set(&[(3, 4)])), "row 3, column 4");
    }
}
