//! `{{#ladder [PATTERN…]}}`: the chapter's ladder of kernels, every rung against the ceiling and the
//! library, as a chart and a table.

use super::part::badge::{self, Badge};
use super::part::html::{escape, slug};
use super::part::ladder_panel::{self as panels, Panel};
use super::part::verdicts::registers;
use super::part::{fold, measurement, number};
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{Facts, Kernel, Needs, Recording};
use kernel_file::suggest::suggestion_or_list;
use kernel_file::verdict::{BackendName, Resources};
use std::fmt::Write;
use verify::results::{BaselineKind, Measurement};

#[derive(Debug)]
struct Ladder {
    patterns: Vec<String>,
}

/// Reads `{{#ladder [PATTERN…]}}`.
pub(super) fn parse(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    Ok(Box::new(Ladder { patterns: arguments.plain()? }))
}

impl Directive for Ladder {
    fn needs(&self) -> Needs {
        Needs::kernels()
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        if page.facts.rungs().next().is_none() {
            return Err("there is no kernel file `kernels/*.cu` beside this page".to_string());
        }
        ladder(page.facts, &self.patterns)
    }
}

/// One figure per machine; without any recording, the table of verdicts alone. `patterns` choose the
/// rungs (`kernels/1_*`); without any, all kernels that teach no defect are rungs.
pub(crate) fn ladder(facts: &Facts, patterns: &[String]) -> Result<String, String> {
    let all: Vec<&Kernel> = facts.rungs().collect();
    for pattern in patterns {
        if !all.iter().any(|kernel| matches(pattern, &kernel.path)) {
            let paths = all.iter().map(|kernel| kernel.path.as_str());
            let hint = suggestion_or_list(pattern, paths);
            return Err(format!("no kernel matches `{pattern}`{hint}"));
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

/// Whether a path matches a pattern, in which `*` matches any characters.
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
    let panels: Vec<Panel> = panels::sizes(rungs, recording)
        .into_iter()
        .map(|n| panels::panel(rungs, recording, n))
        .collect();
    // One axis for all panels, so that they can be compared.
    let highest = panels.iter().map(panels::highest).fold(1e-3, f64::max);
    for panel in &panels {
        let first = rungs.first().map_or("", |kernel| kernel.stem());
        let gpu = slug(&recording.gpu().to_lowercase());
        let id = format!("ladder-{gpu}-{}-{}", slug(first), panel.n);
        // Bars that would not be seen have an axis of their own.
        let own = panels::highest(panel);
        let axis = if own < highest / 20.0 { own } else { highest };
        out.push_str(&panels::svg(panel, axis, &id));
    }
    out.push_str("</div>\n");
    let table = table(rungs, Some(recording));
    out.push_str(&fold::numbers("Time, share and registers of each rung", &table));
    let provenance = measurement::provenance(recording, panels::columns(rungs, recording));
    let _ = write!(out, "<figcaption>{provenance}</figcaption>\n</figure>\n");
    out
}

fn table(rungs: &[&Kernel], recording: Option<&Recording>) -> String {
    let mut out =
        String::from("<div class=\"cuda-scroll\"><table class=\"cuda-table\"><thead><tr>");
    out.push_str("<th scope=\"col\">rung</th>");
    if let Some(recording) = recording {
        let _ = write!(
            out,
            "<th scope=\"col\" class=\"cuda-num\">time</th>{}",
            panels::columns(rungs, recording).heads(recording)
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
            for n in panels::sizes(rungs, recording) {
                out.push_str(&group(rungs, recording, n));
            }
        }
    }
    out.push_str("</table></div>\n");
    out
}

/// The rows of one size.
fn group(rungs: &[&Kernel], recording: &Recording, n: u64) -> String {
    let columns = panels::columns(rungs, recording);
    let mut out = format!(
        "<tbody><tr class=\"cuda-group\"><th scope=\"rowgroup\" colspan=\"{}\"><i>n</i> = {}, {}</th></tr>\n",
        3 + columns.count(),
        number::size(n),
        number::bytes(panels::bytes(rungs, recording, n)),
    );
    for kernel in rungs {
        let found = recording.of(kernel.stem());
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
    let baselines = panels::baselines(rungs, recording, n, columns.rate);
    let has_library = baselines.iter().any(|b| b.kind == BaselineKind::Library);
    if columns.has_library() && !has_library {
        out.push_str(&no_library(recording, columns));
    }
    for baseline in baselines {
        if let Some(m) = baseline.sizes.get(&n) {
            // The ceiling's ratio is to the library that was timed with it: that of another type, maybe.
            let ratio_to_library = m.ratio_to_library.filter(|_| has_library);
            let m = &Measurement { ratio_to_library, ..m.clone() };
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

/// The row of the library at a size at which it was not recorded.
fn no_library(recording: &Recording, columns: measurement::Columns) -> String {
    format!(
        "<tr class=\"cuda-baseline\"><th scope=\"row\">{}</th><td colspan=\"{}\">not recorded at \
         this size</td></tr>\n",
        escape(measurement::library(recording)),
        2 + columns.count()
    )
}

fn name(kernel: &Kernel, stale: bool) -> String {
    format!(
        "<th scope=\"row\"><a href=\"#{}\">{}</a>{}</th>",
        slug(kernel.stem()),
        escape(&kernel.label()),
        badge::if_stale(stale)
    )
}

/// The last two cells: registers, and the simulator's verdict.
fn tail(kernel: &Kernel, recorded: Option<&[Resources]>) -> String {
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
    fn a_star_matches_anything() {
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
