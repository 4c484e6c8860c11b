//! `{{#timeline EXPERIMENT [model]}}`: what ran when, as an experiment recorded it: a row per
//! stream, a box per copy or kernel.
//!
//! The times are those of the device's events. Where nothing was recorded, the figure says so. With
//! the word `model`, the spans are predictions from measured times, and are labelled so.

use super::part::badge::{self, Badge};
use super::part::diagram::{self, Diagram, Drawn};
use super::part::html::{escape, slug};
use super::part::number;
use super::part::svg::{Anchor, Drawing, WIDTH, key};
use crate::directive::{Arguments, Context, Directive};
use crate::facts::Recording;
use std::fmt::Write;
use verify::results::{ExperimentResult, Span};

#[derive(Debug)]
struct Timeline {
    experiment: String,
    /// Whether its spans are predictions.
    is_model: bool,
}

/// Reads `{{#timeline EXPERIMENT [model]}}`.
pub(super) fn parse(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    diagram::parse(arguments, |options| {
        let (experiment, is_model) = match options.plain.as_slice() {
            [name] => (name.clone(), false),
            [name, word] if word == "model" => (name.clone(), true),
            _ => return Err(options.wrong()),
        };
        Ok(Box::new(Timeline { experiment, is_model }))
    })
}

impl Diagram for Timeline {
    fn name(&self) -> String {
        format!("timeline-{}", self.experiment)
    }

    fn draw(&self, page: &Context<'_>, id: &str) -> Result<Drawn, String> {
        page.facts.require_experiment(&self.experiment)?;
        figures(&page.facts.recordings, &self.experiment, self.is_model, id).map(Drawn::figure)
    }
}

const LEFT: f64 = 4.0;
const RIGHT: f64 = 12.0;
const BAR: f64 = 16.0;
const SLOT: f64 = 36.0;

/// One colour per kind of work, in the order of their first appearance.
const CLASSES: [&str; 6] = [
    "cuda-fill-global",
    "cuda-fill-registers",
    "cuda-fill-shared",
    "cuda-fill-local",
    "cuda-fill-constant",
    "cuda-fill-bar",
];

/// One figure per machine that recorded the experiment.
fn figures(
    recordings: &[Recording],
    name: &str,
    is_model: bool,
    id: &str,
) -> Result<String, String> {
    let mut out = String::new();
    for recording in recordings {
        let Some(result) = recording.results.experiments.get(name) else { continue };
        if result.spans.is_empty() {
            return Err(format!(
                "the experiment `{name}` recorded no spans: it must call `span` for each piece of work"
            ));
        }
        let id = format!("{id}-{}", slug(&recording.gpu().to_lowercase()));
        out.push_str(&figure(recording, name, is_model, result, &id));
    }
    if out.is_empty() {
        return Ok(format!(
            "<figure class=\"cuda-figure\"><p class=\"cuda-provenance\">\
             <a href=\"src/experiments/{0}.rs\"><code>{0}.rs</code></a>. On a GPU: {1}</p></figure>",
            escape(name),
            Badge::NotMeasured.html("")
        ));
    }
    Ok(out)
}

fn figure(
    recording: &Recording,
    name: &str,
    is_model: bool,
    result: &ExperimentResult,
    id: &str,
) -> String {
    let spans = &result.spans;
    let lanes = distinct(spans.iter().map(|span| span.lane.as_str()));
    let kinds = distinct(spans.iter().map(|span| span.what.as_str()));
    let class = |what: &str| {
        let at = kinds.iter().position(|kind| *kind == what).unwrap_or(0);
        CLASSES[at % CLASSES.len()]
    };
    let start = spans.iter().map(|span| span.start_us).fold(f64::INFINITY, f64::min);
    let end = spans.iter().map(|span| span.end_us).fold(start, f64::max);
    let whole = (end - start).max(1e-9);
    let x = |us: f64| LEFT + (us - start) / whole * (WIDTH - LEFT - RIGHT);

    let mut drawing = Drawing::default();
    let bottom = SLOT * lanes.len() as f64 + 4.0;
    let step = number::step(whole, 4.0);
    for tick in 0..=(whole / step).floor() as u32 {
        let at = x(start + f64::from(tick) * step);
        drawing.line("cuda-grid", (at, 0.0), (at, bottom));
        let anchor = if tick == 0 { Anchor::Start } else { Anchor::Middle };
        let text = if tick == 0 { "0".to_string() } else { number::time(f64::from(tick) * step) };
        drawing.text("cuda-tick", (at, bottom + 13.0), anchor, &text);
    }
    for (i, lane) in lanes.iter().enumerate() {
        let y = SLOT * i as f64;
        drawing.text("cuda-label", (LEFT, y + 12.0), Anchor::Start, lane);
        for span in spans.iter().filter(|span| span.lane == *lane) {
            let width = (x(span.end_us) - x(span.start_us) - 0.6).max(0.8);
            drawing.rect(class(&span.what), x(span.start_us), y + 17.0, width, BAR);
        }
    }
    let busy: f64 = spans.iter().map(|span| span.end_us - span.start_us).sum();
    // A measured span includes the time that it queued, so only a model's spans add up to the time
    // that they would take one after the other.
    let (sum, took) = if is_model {
        ("One after the other they would take", "it should take")
    } else {
        ("Waiting included, they add up to", "it took")
    };
    let sentence = format!(
        "{}: {} boxes in {} {}. {sum} {}; from the start of the first to the end of the last {took} {}.",
        result.title,
        spans.len(),
        lanes.len(),
        if lanes.len() == 1 { "stream" } else { "streams" },
        number::time(busy),
        number::time(whole),
    );
    let seen = if is_model {
        "computed by a model from measured times."
    } else {
        "one run, as the device's events saw it."
    };
    let svg = drawing.finish(bottom + 18.0, id, &result.title, &sentence);
    let keys: String = kinds.iter().map(|kind| key(class(kind), &escape(kind))).collect();
    let stale = badge::stale_note(recording.is_stale_experiment(name));
    format!(
        "<figure class=\"cuda-figure\">\n{svg}<figcaption><p class=\"cuda-keys\">{keys}</p>\
         <p>{}</p></figcaption>\n<details><summary>As a table</summary>\n\
         <div class=\"cuda-scroll\"><table class=\"cuda-table\">\n<thead><tr><th>where</th>\
         <th>what</th><th class=\"cuda-num\">from, µs</th><th class=\"cuda-num\">to, µs</th></tr>\
         </thead>\n<tbody>\n{}</tbody></table></div></details>\n\
         <p class=\"cuda-provenance\"><a href=\"src/experiments/{name}.rs\"><code>{name}.rs</code></a>.\
         {stale} {}, recorded {}; {seen}</p>\n</figure>\n",
        escape(&sentence),
        table(spans, start),
        escape(&recording.results.machine.gpu),
        escape(&recording.results.machine.date),
        name = escape(name),
    )
}

fn table(spans: &[Span], start: f64) -> String {
    let mut out = String::new();
    for span in spans {
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td class=\"cuda-num\">{:.1}</td><td class=\"cuda-num\">\
             {:.1}</td></tr>",
            escape(&span.lane),
            escape(&span.what),
            span.start_us - start,
            span.end_us - start
        );
    }
    out
}

/// Each string once, in the order of first appearance.
fn distinct<'a>(all: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen: Vec<&str> = Vec::new();
    for one in all {
        if !seen.contains(&one) {
            seen.push(one);
        }
    }
    seen
}
