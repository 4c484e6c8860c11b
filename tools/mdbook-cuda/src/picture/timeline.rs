//! `{{#timeline}}`: what ran when, as an experiment saw it: a row for each stream, a box for each
//! copy or kernel in it.
//!
//! The moments are the device's own events. Where nothing was recorded the figure says so. What a
//! model foretells, from times that were measured, is drawn in the same way with the word `model`,
//! and says that nobody saw it.

use crate::facts::Recording;
use crate::html::{escape, slug};
use crate::number;
use crate::svg::{Anchor, Drawing, WIDTH, key};
use crate::verdicts::Badge;
use std::fmt::Write;
use verify::results::{ExperimentResult, Span};

const LEFT: f64 = 4.0;
const RIGHT: f64 = 12.0;
const BAR: f64 = 16.0;
const SLOT: f64 = 36.0;

/// One colour for each sort of work, in the order in which they first appear.
const CLASSES: [&str; 6] = [
    "cuda-fill-global",
    "cuda-fill-registers",
    "cuda-fill-shared",
    "cuda-fill-local",
    "cuda-fill-constant",
    "cuda-fill-bar",
];

/// The figure, one a machine that recorded it.
pub(super) fn html(
    recordings: &[Recording],
    name: &str,
    model: bool,
    id: &str,
) -> Result<String, String> {
    let mut out = String::new();
    for recording in recordings {
        let Some(result) = recording.results.experiments.get(name) else { continue };
        if result.spans.is_empty() {
            return Err(format!("the experiment `{name}` recorded no spans: see `Lab::span`"));
        }
        let id = format!("{id}-{}", slug(&recording.gpu().to_lowercase()));
        out.push_str(&figure(recording, name, model, result, &id));
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
    model: bool,
    result: &ExperimentResult,
    id: &str,
) -> String {
    let spans = &result.spans;
    let lanes = distinct(spans.iter().map(|span| span.lane.as_str()));
    let sorts = distinct(spans.iter().map(|span| span.what.as_str()));
    let class = |what: &str| {
        let at = sorts.iter().position(|sort| *sort == what).unwrap_or(0);
        CLASSES[at % CLASSES.len()]
    };
    let start = spans.iter().map(|span| span.start_us).fold(f64::INFINITY, f64::min);
    let end = spans.iter().map(|span| span.end_us).fold(start, f64::max);
    let whole = (end - start).max(1e-9);
    let x = |us: f64| LEFT + (us - start) / whole * (WIDTH - LEFT - RIGHT);

    let mut drawing = Drawing::default();
    let bottom = SLOT * lanes.len() as f64 + 4.0;
    let step = step(whole);
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
    // A measured span also holds the time for which it queued, so only a model's spans add up to
    // what they would take one after the other.
    let (sum, took) = if model {
        ("They would take", " one after the other, and should take")
    } else {
        ("With the waiting they add up to", ", and took")
    };
    let sentence = format!(
        "{}: {} pieces of work in {} {}. {sum} {}{took} {} from the first to the last.",
        result.title,
        spans.len(),
        lanes.len(),
        if lanes.len() == 1 { "stream" } else { "streams" },
        number::time(busy),
        number::time(whole),
    );
    let seen = if model {
        "a model's, from times that were measured; nobody saw it."
    } else {
        "one run, as the device's events saw it."
    };
    let svg = drawing.finish(bottom + 18.0, id, &result.title, &sentence);
    let keys: String = sorts.iter().map(|sort| key(class(sort), &escape(sort))).collect();
    let stale = if recording.stale_experiments.iter().any(|s| s == name) {
        format!(" {} The source has changed since.", Badge::Stale.html(""))
    } else {
        String::new()
    };
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

/// Each of them once, in the order in which they come.
fn distinct<'a>(all: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen: Vec<&str> = Vec::new();
    for one in all {
        if !seen.contains(&one) {
            seen.push(one);
        }
    }
    seen
}

/// A step of 1, 2 or 5 times a power of ten that makes two to five ticks.
fn step(whole: f64) -> f64 {
    let power = 10f64.powf((whole / 4.0).log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|m| m * power)
        .find(|step| *step >= whole / 4.0)
        .unwrap_or(power * 10.0)
}
