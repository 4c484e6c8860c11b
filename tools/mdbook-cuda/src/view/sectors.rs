//! `{{#sectors FILE}}`: the 32-byte sectors that one access of a warp moves.
//!
//! Memory is drawn as rows of 128 bytes, a cache line each, made of four sectors of eight words.
//! A sector that moves is framed and tinted, and the words in it that some lane requested are filled:
//! a tinted word that is not filled was moved for nothing.

use super::part::diagram::{self, Diagram, Drawn};
use super::part::html::with_code;
use super::part::number;
use super::part::svg::{Anchor, Drawing, WIDTH, key};
use super::part::warp::{self, Warp};
use super::part::words::{capital, lanes_in_words, plural};
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{Needs, WarpRequest};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use verify::trace::{ArraySpace, Touched};

#[derive(Debug)]
struct Sectors(WarpRequest);

/// Reads `{{#sectors}}`.
pub(super) fn parse(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    diagram::parse(arguments, |options| Ok(Box::new(Sectors(options.warp()?))))
}

impl Diagram for Sectors {
    fn needs(&self) -> Needs {
        Needs { warps: vec![self.0.clone()], ..Needs::kernels() }
    }

    fn name(&self) -> String {
        warp::name("sectors", &self.0)
    }

    fn draw(&self, page: &Context<'_>, id: &str) -> Result<Drawn, String> {
        draw(&Warp::of(page, &self.0)?, id)
    }
}

/// Rows that are drawn at most: a warp of 4-byte words has no more.
const ROWS: usize = 32;
/// The least place for the names of the rows.
const LEFT: f64 = 66.0;
/// The width of one of their letters.
const LETTER: f64 = 5.8;
/// What stands between two sectors.
const GAP: f64 = 1.5;
const HEIGHT: f64 = 15.0;

/// The place beside the rows that their names need.
fn gutter(names: impl Iterator<Item = String>) -> f64 {
    let letters = names.map(|name| name.chars().count()).max().unwrap_or_default();
    LEFT.max(letters as f64 * LETTER + 6.0)
}

/// The figure of a warp's access.
fn draw(warp: &Warp<'_>, id: &str) -> Result<Drawn, String> {
    let (line, touched) = warp.access(&[ArraySpace::Global, ArraySpace::Constant])?;
    let bytes = requested(touched);
    let mut sectors: BTreeMap<u32, u32> = BTreeMap::new();
    for (lane, offset) in touched.lane_offsets() {
        for sector in offset / 32..=(offset + touched.width - 1) / 32 {
            *sectors.entry(sector).or_default() |= 1 << lane;
        }
    }
    let rows: BTreeSet<u32> = sectors.keys().map(|sector| sector / 4).collect();
    let words: BTreeSet<u32> = bytes.iter().map(|byte| byte / 4).collect();

    let label = |row: u32| {
        let element = row * 128 / touched.element.max(1);
        format!("{}[{element}]", clipped(&touched.array))
    };
    let left = gutter(rows.iter().take(ROWS).map(|row| label(*row)));
    let width = (WIDTH - left - 4.0 * GAP) / 32.0;
    let place = |sector: u32| left + f64::from(sector) * (8.0 * width + GAP);

    let mut drawing = Drawing::default();
    let mut y = 16.0;
    drawing.text(
        "cuda-tick",
        (left, 10.0),
        Anchor::Start,
        "one row: 128 bytes, four sectors of 32",
    );
    let (mut before, mut gap) = (None, false);
    for &row in rows.iter().take(ROWS) {
        if before.is_some_and(|b| b + 1 != row) {
            drawing.line("cuda-gap", (left, y + 1.5), (place(4), y + 1.5));
            y += 4.0;
            gap = true;
        }
        before = Some(row);
        drawing.text("cuda-mono", (left - 5.0, y + 10.5), Anchor::End, &label(row));
        for part in 0..4 {
            let sector = row * 4 + part;
            let class = if sectors.contains_key(&sector) { "cuda-moved" } else { "cuda-still" };
            drawing.rect(class, place(part) + 0.5, y + 0.5, 8.0 * width - 1.0, HEIGHT - 3.0);
        }
        let at: Vec<(f64, f64)> = words
            .range(row * 32..row * 32 + 32)
            .map(|word| {
                let word = word % 32;
                let x = place(word / 8) + f64::from(word % 8) * width;
                (x + 1.0, y + 2.0)
            })
            .collect();
        drawing.boxes("cuda-fill-global", &at, width - 2.0, HEIGHT - 6.0);
        y += HEIGHT;
    }
    if rows.len() > ROWS {
        let text = format!("… and {} more rows", rows.len() - ROWS);
        drawing.text("cuda-tick", (left, y + 12.0), Anchor::Start, &text);
        y += 16.0;
    }
    let moved = sectors.len() as u64 * 32;
    let share = bytes.len() as f64 / moved as f64;
    let verb = warp::verb(touched);
    let sentence = format!(
        "{} of {} {verb} {} each of `{}`: {} asked for, {} moved in {}, {} of them used.",
        capital(&lanes_in_words(touched.lanes)),
        warp.title(),
        plural(u64::from(touched.width), "byte"),
        touched.array,
        plural(bytes.len() as u64, "byte"),
        number::count(moved),
        plural(sectors.len() as u64, "sector"),
        number::percent(share),
    );
    let title = format!("Sectors that line {line} of {} moves", warp.kernel.file_name());
    let svg = drawing.finish(y + 2.0, id, &title, &sentence);
    let mut table = String::new();
    for (sector, lanes) in &sectors {
        let _ = writeln!(
            table,
            "<tr><td class=\"cuda-num\">{}</td><td>{}</td></tr>",
            number::count(u64::from(sector * 32)),
            lanes_in_words(*lanes)
        );
    }
    let left_out = " A dashed line stands for rows in which nothing is moved.";
    let sentence = sentence + if gap { left_out } else { "" };
    let sentence = with_code(&sentence);
    let html = format!(
        "<figure class=\"cuda-figure\">\n{}{svg}<figcaption><p class=\"cuda-keys\">{}{}{}</p><p>{sentence}</p>{}</figcaption>\n\
         <details><summary>As a table</summary>\n<div class=\"cuda-scroll\"><table class=\"cuda-table\">\n\
         <thead><tr><th class=\"cuda-num\">sector at byte</th><th>lanes</th></tr></thead>\n<tbody>\n\
         {table}</tbody></table></div></details>\n</figure>",
        warp.quoted(line),
        key("cuda-fill-global", "asked for"),
        key("cuda-moved", "moved"),
        key("cuda-still", "not moved"),
        warp.link_to(line, touched),
    );
    Ok(Drawn { html, sentence })
}

/// The bytes that some lane requests.
fn requested(touched: &Touched) -> BTreeSet<u32> {
    touched.lane_offsets().flat_map(|(_, at)| at..at + touched.width).collect()
}

/// A name that fits beside a row.
fn clipped(name: &str) -> String {
    if name.chars().count() <= 4 {
        return name.to_string();
    }
    name.chars().take(3).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_of_a_row_is_not_cut() {
        let of = |name: &str| gutter(std::iter::once(name.to_string()));
        assert_eq!(of("a[1920]"), LEFT);
        // Fourteen letters of 9.5 units, each six tenths as wide, and what stands beside them.
        assert!(of("data[16645248]") >= 14.0 * 5.7 + 5.0);
    }
}
