//! The chapter's ladder: every rung against the ceiling and the library, as a picture and a table.

use crate::facts::{Facts, Kernel, Recording};
use crate::html::{escape, slug};
use crate::measured::{Columns, Rate};
use crate::number;
use crate::plot::{self, Bar, Line, Panel};
use crate::verdicts::Badge;
use crate::{measured, verdicts::registers};
use std::collections::BTreeSet;
use std::fmt::Write;
use verify::results::{Baseline, BaselineKind, Measurement};
use verify::suggest::suggestion_or_list;
use verify::verdict::BackendName;

/// One figure a machine; without any recording, the table of verdicts alone. `patterns` choose the
/// rungs (`kernels/1_*`); without any, all kernels that teach no defect are rungs.
pub(crate) fn html(facts: &Facts, patterns: &[String]) -> Result<String, String> {
    let all: Vec<&Kernel> = facts.rungs().collect();
    for pattern in patterns {
        if !all.iter().any(|kernel| matches(pattern, &kernel.path)) {
            let known = all.iter().map(|kernel| kernel.path.as_str());
            return Err(format!(
                "no kernel fits `{pattern}`{}",
                suggestion_or_list(pattern, known)
            ));
        }
    }
    let chosen = |kernel: &&Kernel| {
        patterns.is_empty() || patterns.iter().any(|pattern| matches(pattern, &kernel.path))
    };
    let rungs: Vec<&Kernel> = all.iter().copied().filter(chosen).collect();
    if facts.recordings.is_empty() {
        let mut out = String::from("<figure class=\"cuda-ladder\">\n");
        out.push_str(&table(&rungs, None));
        let _ = writeln!(
            out,
            "<figcaption class=\"cuda-provenance\">{} No results are recorded for this chapter. \
             <code>cargo run --release -- record</code> makes them on a machine with a GPU.</figcaption>",
            Badge::NotMeasured.html("")
        );
        out.push_str("</figure>\n");
        return Ok(out);
    }
    Ok(facts.recordings.iter().map(|recording| figure(&rungs, recording)).collect())
}

/// One rung against the ceiling and the library, at the largest size that was measured; `None` where
/// none was. `id` must be unique on the page.
pub(crate) fn alone(kernel: &Kernel, recording: &Recording, id: &str) -> Option<String> {
    let rungs = [kernel];
    let n = *sizes(&rungs, recording).last()?;
    let panel = panel(&rungs, recording, n);
    Some(plot::svg(&panel, plot::highest(&panel), id))
}

/// Whether `*` in the pattern can stand for what it must.
fn matches(pattern: &str, path: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == path,
        Some((before, after)) => path.strip_prefix(before).is_some_and(|rest| {
            (0..=rest.len()).any(|i| rest.is_char_boundary(i) && matches(after, &rest[i..]))
        }),
    }
}

fn figure(rungs: &[&Kernel], recording: &Recording) -> String {
    let mut out = String::from("<figure class=\"cuda-ladder\">\n<div class=\"cuda-panels\">\n");
    let panels: Vec<Panel> =
        sizes(rungs, recording).into_iter().map(|n| panel(rungs, recording, n)).collect();
    // One scale for all panels: a reader compares them with each other.
    let highest = panels.iter().map(plot::highest).fold(1e-3, f64::max);
    for panel in &panels {
        let first = rungs.first().map_or("", |kernel| kernel.stem.as_str());
        let gpu = slug(&recording.gpu().to_lowercase());
        let id = format!("ladder-{gpu}-{}-{}", slug(first), panel.n);
        out.push_str(&plot::svg(panel, highest, &id));
    }
    out.push_str("</div>\n");
    out.push_str(&table(rungs, Some(recording)));
    let _ =
        write!(out, "<figcaption>{}</figcaption>\n</figure>\n", measured::provenance(recording));
    out
}

/// Every size that a rung was measured at, the smallest first.
fn sizes(rungs: &[&Kernel], recording: &Recording) -> BTreeSet<u64> {
    let measured = rungs.iter().filter_map(|kernel| recording.of(&kernel.stem));
    measured.flat_map(|found| found.result.sizes.keys().copied()).collect()
}

/// Baselines of the same work, in the order of the page: the library, then the ceiling.
fn baselines(recording: &Recording, n: u64, bytes: u64, rate: Rate) -> Vec<&Baseline> {
    let same = |b: &&Baseline| b.sizes.get(&n).is_some_and(|m| m.bytes == bytes);
    if rate == Rate::Arithmetic {
        return Vec::new();
    }
    let mut all: Vec<&Baseline> = Vec::new();
    for baseline in recording.results.baselines.values().filter(same) {
        // A chapter may hold several ladders of the same work, each timed beside the library: the
        // first one's stands for all.
        if !all.iter().any(|known| known.title == baseline.title) {
            all.push(baseline);
        }
    }
    all.sort_by_key(|baseline| baseline.kind == BaselineKind::Ceiling);
    all
}

/// The bytes that must move at this size: the same for every rung.
fn bytes(rungs: &[&Kernel], recording: &Recording, n: u64) -> u64 {
    let measured = rungs.iter().filter_map(|kernel| recording.of(&kernel.stem));
    measured.filter_map(|found| Some(found.result.sizes.get(&n)?.bytes)).next().unwrap_or(0)
}

fn panel(rungs: &[&Kernel], recording: &Recording, n: u64) -> Panel {
    let rate = columns(rungs, recording).rate;
    let bars = rungs.iter().map(|kernel| {
        let found = recording.of(&kernel.stem);
        Bar {
            label: kernel.label(),
            rate: found.and_then(|f| f.result.sizes.get(&n)).and_then(|m| reached(m, rate)),
            stale: found.is_some_and(|f| f.stale),
        }
    });
    let bytes = bytes(rungs, recording, n);
    let lines = baselines(recording, n, bytes, rate).into_iter().rev().filter_map(|baseline| {
        Some(Line {
            label: baseline.title.clone(),
            value: baseline.sizes.get(&n)?.gbps,
            kind: match baseline.kind {
                BaselineKind::Ceiling => "ceiling",
                BaselineKind::Library => "library",
            },
        })
    });
    Panel { n, bytes, unit: rate.label(), bars: bars.collect(), lines: lines.collect() }
}

/// The rate with its spread: the slower the time, the lower the rate.
fn reached(m: &Measurement, rate: Rate) -> Option<plot::Rate> {
    let median = rate.value(m)?;
    let at = |us: f64| median * m.time_us.median / us;
    Some(plot::Rate { median, low: at(m.time_us.p90), high: at(m.time_us.p10) })
}

/// What all rungs are told in.
fn columns(rungs: &[&Kernel], recording: &Recording) -> Columns {
    let measured = rungs.iter().filter_map(|kernel| recording.of(&kernel.stem));
    Columns::of(measured.flat_map(|found| found.result.sizes.values()))
}

fn table(rungs: &[&Kernel], recording: Option<&Recording>) -> String {
    let mut out =
        String::from("<div class=\"cuda-scroll\"><table class=\"cuda-table\"><thead><tr>");
    out.push_str("<th scope=\"col\">rung</th>");
    if let Some(recording) = recording {
        let _ = write!(
            out,
            "<th scope=\"col\" class=\"cuda-num\">time</th>{}",
            columns(rungs, recording).heads(recording)
        );
    }
    out.push_str(
        "<th scope=\"col\" class=\"cuda-num\"><span class=\"cuda-space-registers\">registers</span></th>\
         <th scope=\"col\">simulator</th></tr></thead>\n",
    );
    match recording {
        None => {
            out.push_str("<tbody>\n");
            for kernel in rungs {
                let _ = writeln!(out, "<tr>{}{}</tr>", name(kernel, false), tail(kernel, None));
            }
            out.push_str("</tbody>");
        }
        Some(recording) => {
            for n in sizes(rungs, recording) {
                out.push_str(&group(rungs, recording, n));
            }
        }
    }
    out.push_str("</table></div>\n");
    out
}

/// The rows of one size.
fn group(rungs: &[&Kernel], recording: &Recording, n: u64) -> String {
    let columns = columns(rungs, recording);
    let mut out = format!(
        "<tbody><tr class=\"cuda-group\"><th scope=\"rowgroup\" colspan=\"{}\"><i>n</i> = {}, {}</th></tr>\n",
        3 + columns.count(),
        number::size(n),
        number::bytes(bytes(rungs, recording, n)),
    );
    for kernel in rungs {
        let found = recording.of(&kernel.stem);
        let stale = found.is_some_and(|f| f.stale);
        let cells = match found.and_then(|f| f.result.sizes.get(&n)) {
            Some(m) => columns.cells(m),
            None => {
                format!("<td colspan=\"{}\">{}</td>", columns.count(), Badge::NotMeasured.html(""))
            }
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
    for baseline in baselines(recording, n, bytes(rungs, recording, n), columns.rate) {
        if let Some(m) = baseline.sizes.get(&n) {
            let _ = writeln!(
                out,
                "<tr class=\"cuda-baseline\"><th scope=\"row\" title=\"{}\">{}</th>{}\
                 <td></td><td></td></tr>",
                escape(&baseline.detail),
                escape(&baseline.title),
                columns.cells(m)
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

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, path, fits) in [
            ("kernels/1_*", "kernels/1_a.cu", true),
            ("kernels/1_*", "kernels/11_a.cu", false),
            ("kernels/*_naive.cu", "kernels/2_naive.cu", true),
            ("*a*b*", "xaybz", true),
            ("*a*b", "xaybz", false),
            ("kernels/1_a.cu", "kernels/1_a.cu", true),
        ] {
            assert_eq!(matches(pattern, path), fits, "{pattern} {path}");
        }
    }
}
