//! `{{#banks FILE}}`: which lanes of a warp access which of shared memory's 32 banks, in which pass.
//!
//! The lanes are above, the banks below, and a line leads from each lane to the bank of its word.
//! The words of a bank are stacked under it, one row per pass. Lanes that access the same word share
//! a box; words that must wait for a further pass have the colour of a failure.

use super::part::diagram::{self, Diagram, Drawn};
use super::part::html::with_code;
use super::part::svg::{Anchor, Drawing, key};
use super::part::warp::{self, Warp};
use super::part::words::{capital, lanes_in_words, plural};
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{Needs, WarpRequest};
use std::collections::BTreeMap;
use std::fmt::Write;
use verify::trace::{ArraySpace, Served};

#[derive(Debug)]
struct Banks(WarpRequest);

/// Reads `{{#banks}}`.
pub(super) fn parse(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    diagram::parse(arguments, |options| Ok(Box::new(Banks(options.warp()?))))
}

impl Diagram for Banks {
    fn needs(&self) -> Needs {
        Needs { warps: vec![self.0.clone()], ..Needs::kernels() }
    }

    fn name(&self) -> String {
        warp::name("banks", &self.0)
    }

    fn draw(&self, page: &Context<'_>, id: &str) -> Result<Drawn, String> {
        draw(&Warp::of(page, &self.0)?, id)
    }
}

const LEFT: f64 = 42.0;
const CELL: f64 = 9.8;
const FAN: f64 = 62.0;
const PASS: f64 = 12.0;

/// The figure of a warp's access.
fn draw(warp: &Warp<'_>, id: &str) -> Result<Drawn, String> {
    let (line, touched) = warp.access(&[ArraySpace::Shared])?;
    let served = touched.served();
    let passes = touched.transactions.max(1);
    let words = served.len() as u32;
    let ideal = (words * 4).div_ceil(128).max(1);

    let mut drawing = Drawing::default();
    let x = |column: u32| LEFT + f64::from(column) * CELL;
    let lanes_y = 14.0;
    drawing.text("cuda-tick", (LEFT - 5.0, lanes_y + 8.5), Anchor::End, "lane");
    let cells = |on: bool| -> Vec<(f64, f64)> {
        let of = |lane: &u32| (touched.lanes >> lane & 1 == 1) == on;
        (0..32).filter(of).map(|lane| (x(lane) + 0.5, lanes_y)).collect()
    };
    drawing.boxes("cuda-fill-registers", &cells(true), CELL - 1.0, 10.0);
    drawing.boxes("cuda-idle", &cells(false), CELL - 1.0, 10.0);
    let banks_y = lanes_y + 10.0 + FAN;
    let mut fans: BTreeMap<bool, Vec<_>> = BTreeMap::new();
    for word in &served {
        for lane in (0..32).filter(|lane| word.lanes >> lane & 1 == 1) {
            let from = (x(lane) + CELL / 2.0, lanes_y + 11.0);
            let to = (x(word.bank) + CELL / 2.0, banks_y - 1.0);
            fans.entry(word.pass >= ideal).or_default().push([from, to]);
        }
    }
    drawing.lines("cuda-fan", fans.get(&false).map_or(&[], Vec::as_slice));
    drawing.lines("cuda-fan cuda-late", fans.get(&true).map_or(&[], Vec::as_slice));
    drawing.text("cuda-tick", (LEFT - 5.0, banks_y + 8.5), Anchor::End, "bank");
    for number in [0, 8, 16, 24, 31] {
        let middle = x(number) + CELL / 2.0;
        drawing.text("cuda-tick", (middle, lanes_y - 4.0), Anchor::Middle, &number.to_string());
    }
    let all: Vec<(f64, f64)> = (0..32).map(|bank| (x(bank) + 0.5, banks_y)).collect();
    drawing.boxes("cuda-still", &all, CELL - 1.0, 10.0);
    let mut y = banks_y + 15.0;
    for pass in 0..passes {
        if passes <= 8 || pass % 4 == 0 || pass + 1 == passes {
            let label = if pass == 0 { "pass 1".to_string() } else { (pass + 1).to_string() };
            drawing.text("cuda-tick", (LEFT - 5.0, y + 8.5), Anchor::End, &label);
        }
        let at: Vec<(f64, f64)> =
            served.iter().filter(|s| s.pass == pass).map(|s| (x(s.bank) + 0.5, y)).collect();
        let class = if pass < ideal { "cuda-fill-shared" } else { "cuda-wait" };
        drawing.boxes(class, &at, CELL - 1.0, 10.0);
        y += PASS;
    }
    let sentence = format!(
        "{} of {} {} {} each of `{}`: {}, served in {}{}",
        capital(&lanes_in_words(touched.lanes)),
        warp.title(),
        warp::verb(touched),
        plural(u64::from(touched.width), "byte"),
        touched.array,
        plural(u64::from(words), "different word"),
        match passes {
            1 => "one pass".to_string(),
            more => format!("{more} passes"),
        },
        if passes > ideal {
            format!(", {} more than the words need.", passes - ideal)
        } else {
            ": no conflict.".to_string()
        }
    );
    let title = format!("Banks that line {line} of {} hits", warp.kernel.file_name());
    let svg = drawing.finish(y + 2.0, id, &title, &sentence);
    let late =
        if passes > ideal { key("cuda-wait", "one that had to wait") } else { String::new() };
    let sentence = with_code(&sentence);
    let html = format!(
        "<figure class=\"cuda-figure\">\n{}{svg}<figcaption><p class=\"cuda-keys\">{}{}{late}</p>\
         <p>{sentence}</p>{}</figcaption>\n\
         <details><summary>As a table</summary>\n<div class=\"cuda-scroll\"><table class=\"cuda-table\">\n\
         <thead><tr><th class=\"cuda-num\">bank</th><th class=\"cuda-num\">pass</th><th>lanes</th></tr>\
         </thead>\n<tbody>\n{}</tbody></table></div></details>\n</figure>",
        warp.quoted(line),
        key("cuda-fill-registers", "a lane at work"),
        key("cuda-fill-shared", "a word that is served at once"),
        warp.link_to(line, touched),
        table(&served),
    );
    Ok(Drawn { html, sentence })
}

fn table(served: &[Served]) -> String {
    let mut sorted: Vec<&Served> = served.iter().collect();
    sorted.sort_by_key(|s| (s.bank, s.pass));
    let mut out = String::new();
    for word in sorted {
        let _ = writeln!(
            out,
            "<tr><td class=\"cuda-num\">{}</td><td class=\"cuda-num\">{}</td><td>{}</td></tr>",
            word.bank,
            word.pass + 1,
            lanes_in_words(word.lanes)
        );
    }
    out
}
