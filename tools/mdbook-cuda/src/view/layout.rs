//! `{{#layout FILE line=34}}`: where the elements that a warp accesses lie in shared memory.
//!
//! Shared memory is drawn as rows of 32 words, one word of each bank, so a column of the drawing is a
//! bank. An access of several words per lane is served in groups of lanes: the first group is filled,
//! the others are outlined, and each element has the number of the pass that serves it.

use super::part::diagram::{self, Diagram, Drawn};
use super::part::html::with_code;
use super::part::svg::{Anchor, Drawing, key};
use super::part::warp::{self, Warp};
use super::part::words::{capital, lanes_in_words, plural};
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{Needs, WarpRequest};
use std::collections::BTreeSet;
use verify::trace::{ArraySpace, Touched};

#[derive(Debug)]
struct Layout(WarpRequest);

/// Reads `{{#layout FILE}}`.
pub(super) fn parse(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    diagram::parse(arguments, |options| Ok(Box::new(Layout(options.warp()?))))
}

impl Diagram for Layout {
    fn needs(&self) -> Needs {
        Needs { warps: vec![self.0.clone()], ..Needs::kernels() }
    }

    fn name(&self) -> String {
        warp::name("layout", &self.0)
    }

    fn draw(&self, page: &Context<'_>, id: &str) -> Result<Drawn, String> {
        draw(&Warp::of(page, &self.0)?, id)
    }
}

/// Rows that are drawn at most.
const ROWS: usize = 34;
const LEFT: f64 = 42.0;
const WORD: f64 = 9.8;
const HEIGHT: f64 = 11.0;
/// The least width of an element, in words, that has room for the number of its pass.
const NUMBERED: u32 = 2;

/// An element in its place.
struct Element {
    lane: u32,
    /// Its first word, from the start of shared memory.
    word: u32,
    /// The pass that serves the last of its words, from 0.
    pass: u32,
}

fn elements(touched: &Touched) -> Vec<Element> {
    let served = touched.served();
    let pass = |lane: u32| {
        let own = served.iter().filter(|word| word.lanes >> lane & 1 == 1);
        own.map(|word| word.pass).max().unwrap_or_default()
    };
    let element = |(lane, at)| Element { lane, word: at / 4, pass: pass(lane) };
    touched.lane_offsets().map(element).collect()
}

/// The figure of a warp's access.
fn draw(warp: &Warp<'_>, id: &str) -> Result<Drawn, String> {
    let (line, touched) = warp.access(&[ArraySpace::Shared])?;
    let elements = elements(touched);
    let words = touched.width.div_ceil(4);
    // The hardware serves as many lanes together as fill 32 banks.
    let together = 32 / words.clamp(1, 32);
    let rows: BTreeSet<u32> = elements.iter().map(|element| element.word / 32).collect();
    let mut drawing = Drawing::default();
    let x = |word: u32| LEFT + f64::from(word % 32) * WORD;
    drawing.text("cuda-tick", (LEFT + 16.0 * WORD, 10.0), Anchor::Middle, "bank");
    drawing.text("cuda-tick", (LEFT - 5.0, 21.0), Anchor::End, "byte");
    for number in [0, 8, 16, 24, 31] {
        let middle = x(number) + WORD / 2.0;
        drawing.text("cuda-tick", (middle, 21.0), Anchor::Middle, &number.to_string());
    }
    let mut y = 26.0;
    let (mut before, mut gap) = (None, false);
    for &row in rows.iter().take(ROWS) {
        if before.is_some_and(|before| before + 1 != row) {
            drawing.line("cuda-gap", (LEFT, y + 1.5), (LEFT + 32.0 * WORD, y + 1.5));
            y += 4.0;
            gap = true;
        }
        before = Some(row);
        let byte = row * 128;
        drawing.text("cuda-mono", (LEFT - 5.0, y + 8.5), Anchor::End, &byte.to_string());
        drawing.rect("cuda-still", LEFT + 0.5, y + 0.5, 32.0 * WORD - 1.0, HEIGHT - 2.0);
        for element in elements.iter().filter(|element| element.word / 32 == row) {
            let width = f64::from(words) * WORD - 1.0;
            let class = match (element.lane < together, element.pass) {
                (true, 0) => "cuda-fill-shared",
                (true, _) => "cuda-wait",
                (false, _) => "cuda-wanted",
            };
            drawing.rect(class, x(element.word) + 0.5, y + 0.5, width, HEIGHT - 2.0);
            if words >= NUMBERED {
                let middle = (x(element.word) + width / 2.0, y + 8.5);
                let text =
                    if class == "cuda-fill-shared" { "cuda-on-fill" } else { "cuda-on-page" };
                let pass = (element.pass + 1).to_string();
                drawing.text(text, middle, Anchor::Middle, &pass);
            }
        }
        y += HEIGHT;
    }
    if rows.len() > ROWS {
        let text = format!("… and {} more rows", rows.len() - ROWS);
        drawing.text("cuda-tick", (LEFT, y + 12.0), Anchor::Start, &text);
        y += 16.0;
    }
    let first: Vec<&Element> = elements.iter().filter(|e| e.lane < together).collect();
    let columns: BTreeSet<u32> = first.iter().map(|element| element.word % 32).collect();
    let banks = spread(columns.len(), words);
    let grouped = if first.len() == elements.len() {
        format!("They are in {banks}")
    } else {
        format!(
            "The hardware serves {together} lanes together. The first {together} are in {banks}"
        )
    };
    let sentence = format!(
        "{} of {} {} {} each of `{}`. {grouped}, and the access takes {}.",
        capital(&lanes_in_words(touched.lanes)),
        warp.title(),
        warp::verb(touched),
        plural(u64::from(touched.width), "byte"),
        touched.array,
        match touched.transactions.max(1) {
            1 => "one pass".to_string(),
            more => format!("{more} passes"),
        },
    );
    let title = format!("Shared memory that line {line} of {} accesses", warp.kernel.file_name());
    let svg = drawing.finish(y + 2.0, id, &title, &sentence);
    let left_out = " A dashed line stands for lines in which nothing is accessed.";
    let sentence = sentence + if gap { left_out } else { "" };
    let sentence = with_code(&sentence);
    let others = if first.len() < elements.len() {
        key("cuda-wanted", "of the other lanes")
    } else {
        String::new()
    };
    let late = if first.iter().any(|element| element.pass > 0) {
        key("cuda-wait", "one that had to wait")
    } else {
        String::new()
    };
    let html = format!(
        "<figure class=\"cuda-figure\">\n{}{svg}<figcaption><p class=\"cuda-keys\">{}{late}{others}{}</p>\
         <p>{sentence}</p>{}</figcaption>\n</figure>",
        warp.quoted(line),
        key("cuda-fill-shared", &format!("of lanes 0 to {}", together - 1)),
        key("cuda-still", "not accessed"),
        warp.link_to(line, touched),
    );
    Ok(Drawn { html, sentence })
}

/// In which banks the elements of the first group are.
fn spread(columns: usize, words: u32) -> String {
    match (columns, words) {
        (1, 1) => "the same bank".to_string(),
        (1, _) => format!("the same {words} banks"),
        (_, 1) => format!("{columns} different banks"),
        _ => format!("{columns} different groups of {words} banks"),
    }
}
