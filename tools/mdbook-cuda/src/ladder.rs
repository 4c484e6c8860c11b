//! The chapter's ladder: every rung against the ceiling and the library, as a picture and a table.

use crate::facts::{Facts, Kernel, Recording};
use crate::html::{escape, slug};
use crate::number;
use crate::plot::{self, Bar, Line, Panel, Rate};
use crate::verdicts::Badge;
use crate::{measured, verdicts::registers};
use std::collections::BTreeSet;
use std::fmt::Write;
use verify::results::{Baseline, BaselineKind, Measurement};
use verify::verdict::BackendName;

/// One figure a machine; without any recording, the table of verdicts alone.
pub(crate) fn html(facts: &Facts) -> String {
    if facts.recordings.is_empty() {
        let mut out = String::from("<figure class=\"cuda-ladder\">\n");
        out.push_str(&table(facts, None));
        let _ = writeln!(
            out,
            "<figcaption class=\"cuda-provenance\">{} No results are recorded for this chapter. \
             <code>cargo run --release -- record</code> makes them on a machine with a GPU.</figcaption>",
            Badge::NotMeasured.html("")
        );
        out.push_str("</figure>\n");
        return out;
    }
    facts.recordings.iter().map(|recording| figure(facts, recording)).collect()
}

fn figure(facts: &Facts, recording: &Recording) -> String {
    let mut out = String::from("<figure class=\"cuda-ladder\">\n<div class=\"cuda-panels\">\n");
    let panels: Vec<Panel> =
        sizes(recording).into_iter().map(|n| panel(facts, recording, n)).collect();
    // One scale for all panels: a reader compares them with each other.
    let highest = panels.iter().map(plot::highest).fold(1e-3, f64::max);
    for panel in &panels {
        let id = format!("ladder-{}-{}", slug(&recording.gpu().to_lowercase()), panel.n);
        out.push_str(&plot::svg(panel, highest, &id));
    }
    out.push_str("</div>\n");
    out.push_str(&table(facts, Some(recording)));
    let _ =
        write!(out, "<figcaption>{}</figcaption>\n</figure>\n", measured::provenance(recording));
    out
}

/// Every size that anything was measured at, the smallest first.
fn sizes(recording: &Recording) -> BTreeSet<u64> {
    let kernels = recording.results.kernels.values().flat_map(|k| k.sizes.keys());
    let baselines = recording.results.baselines.values().flat_map(|b| b.sizes.keys());
    kernels.chain(baselines).copied().collect()
}

/// Baselines in the order of the page: the library, then the ceiling.
fn baselines(recording: &Recording) -> Vec<&Baseline> {
    let mut all: Vec<&Baseline> = recording.results.baselines.values().collect();
    all.sort_by_key(|baseline| baseline.kind == BaselineKind::Ceiling);
    all
}

/// The bytes that must move at this size: the same for every rung.
fn bytes(recording: &Recording, n: u64) -> u64 {
    let kernels = recording.results.kernels.values().map(|k| &k.sizes);
    let baselines = recording.results.baselines.values().map(|b| &b.sizes);
    kernels.chain(baselines).find_map(|sizes| Some(sizes.get(&n)?.bytes)).unwrap_or(0)
}

fn panel(facts: &Facts, recording: &Recording, n: u64) -> Panel {
    let bars = facts.rungs().map(|kernel| {
        let found = recording.of(&kernel.stem);
        Bar {
            label: kernel.label(),
            rate: found.and_then(|f| f.result.sizes.get(&n)).map(rate),
            stale: found.is_some_and(|f| f.stale),
        }
    });
    let lines = baselines(recording).into_iter().rev().filter_map(|baseline| {
        Some(Line {
            label: baseline.title.clone(),
            gbps: baseline.sizes.get(&n)?.gbps,
            kind: match baseline.kind {
                BaselineKind::Ceiling => "ceiling",
                BaselineKind::Library => "library",
            },
        })
    });
    Panel { n, bytes: bytes(recording, n), bars: bars.collect(), lines: lines.collect() }
}

fn rate(m: &Measurement) -> Rate {
    let gbps = |us: f64| m.bytes as f64 / us / 1e3;
    Rate { median: m.gbps, low: gbps(m.time_us.p90), high: gbps(m.time_us.p10) }
}

fn table(facts: &Facts, recording: Option<&Recording>) -> String {
    let mut out =
        String::from("<div class=\"cuda-scroll\"><table class=\"cuda-table\"><thead><tr>");
    out.push_str("<th scope=\"col\">rung</th>");
    if let Some(recording) = recording {
        let _ = write!(
            out,
            "<th scope=\"col\" class=\"cuda-num\">time</th><th scope=\"col\" class=\"cuda-num\">GB/s</th>\
             <th scope=\"col\" class=\"cuda-num\">of ceiling</th>\
             <th scope=\"col\" class=\"cuda-num\">against {}</th>",
            escape(measured::library(recording))
        );
    }
    out.push_str(
        "<th scope=\"col\" class=\"cuda-num\"><span class=\"cuda-space-registers\">registers</span></th>\
         <th scope=\"col\">simulator</th></tr></thead>\n",
    );
    match recording {
        None => {
            out.push_str("<tbody>\n");
            for kernel in facts.rungs() {
                let _ = writeln!(out, "<tr>{}{}</tr>", name(kernel, false), tail(kernel, None));
            }
            out.push_str("</tbody>");
        }
        Some(recording) => {
            for n in sizes(recording) {
                out.push_str(&group(facts, recording, n));
            }
        }
    }
    out.push_str("</table></div>\n");
    out
}

/// The rows of one size.
fn group(facts: &Facts, recording: &Recording, n: u64) -> String {
    let mut out = format!(
        "<tbody><tr class=\"cuda-group\"><th scope=\"rowgroup\" colspan=\"7\"><i>n</i> = {}, {}</th></tr>\n",
        number::size(n),
        number::bytes(bytes(recording, n)),
    );
    for kernel in facts.rungs() {
        let found = recording.of(&kernel.stem);
        let stale = found.is_some_and(|f| f.stale);
        let cells = match found.and_then(|f| f.result.sizes.get(&n)) {
            Some(m) => measured::cells(m),
            None => format!("<td colspan=\"4\">{}</td>", Badge::NotMeasured.html("")),
        };
        let recorded = found.map(|f| f.result.resources.as_slice());
        let _ = writeln!(
            out,
            "<tr{}>{}{cells}{}</tr>",
            if stale { " class=\"cuda-is-stale\"" } else { "" },
            name(kernel, stale),
            tail(kernel, recorded)
        );
    }
    for baseline in baselines(recording) {
        if let Some(m) = baseline.sizes.get(&n) {
            let _ = writeln!(
                out,
                "<tr class=\"cuda-baseline\"><th scope=\"row\" title=\"{}\">{}</th>{}\
                 <td></td><td></td></tr>",
                escape(&baseline.detail),
                escape(&baseline.title),
                measured::cells(m)
            );
        }
    }
    out.push_str("</tbody>\n");
    out
}

fn name(kernel: &Kernel, stale: bool) -> String {
    format!(
        "<th scope=\"row\"><a href=\"#{}\">{}</a>{}</th>",
        slug(&kernel.stem),
        escape(&kernel.label()),
        if stale { format!(" {}", Badge::Stale.html("")) } else { String::new() }
    )
}

/// Registers, and what the simulator says.
fn tail(kernel: &Kernel, recorded: Option<&[verify::verdict::Resources]>) -> String {
    let registers = registers(kernel, recorded).map_or("–".to_string(), |r| r.to_string());
    let sim = kernel
        .verdict(BackendName::Sim)
        .map_or_else(String::new, |verdict| Badge::of(verdict, false).html(""));
    format!("<td class=\"cuda-num\">{registers}</td><td>{sim}</td>")
}
