//! What Nsight Compute read off a GPU, one number in the running text; and the machine's
//! instructions, where a kernel file asks for them.

use crate::facts::{Facts, Kernel};
use crate::html::escape;
use crate::number;
use crate::verdicts::Badge;
use std::fmt::Write;
use verify::suggest::suggestion_or_list;

/// A listing longer than this is folded.
const LINES: usize = 24;

/// `{{#hardware FILE METRIC}}`. `METRIC:unoptimised` is of a build with `-G`.
pub(crate) fn inline(
    kernel: &Kernel,
    facts: &Facts,
    asked: &str,
    choice: &[(String, f64)],
) -> Result<String, String> {
    let point = kernel.choose(choice)?;
    let (metric, unoptimised) = match asked.strip_suffix(":unoptimised") {
        Some(metric) => (metric, true),
        None => (asked, false),
    };
    let found = facts.measured(kernel).find_map(|measured| {
        let profile = measured.result.profile(&point, unoptimised)?;
        Some((measured, profile))
    });
    let Some((measured, profile)) = found else { return Ok(Badge::NotMeasured.html("")) };
    let Some(value) = profile.metrics.get(metric) else {
        if measured.stale {
            return Ok(Badge::Stale.html(""));
        }
        let known = profile.metrics.keys().map(String::as_str);
        let hint = suggestion_or_list(metric, known);
        return Err(format!("`{metric}` of `{}` was not recorded{hint}", kernel.path));
    };
    let badge = if measured.stale { format!(" {}", Badge::Stale.html("")) } else { String::new() };
    Ok(format!(
        "<span class=\"cuda-value\" title=\"{}, at n = {}, Nsight Compute on an {}\">{}</span>{badge}",
        escape(asked),
        number::count(profile.n),
        escape(&measured.recording.results.machine.gpu),
        text(metric, *value)
    ))
}

/// A metric's value in its unit, as far as its name tells.
fn text(metric: &str, value: f64) -> String {
    if metric.contains("pct") {
        format!("{} %", number::significant(value))
    } else if metric.contains("bytes") && metric.ends_with("per_second") {
        format!("{} GB/s", number::significant(value / 1e9))
    } else {
        number::counter(value)
    }
}

/// `{{#sass FILE}}`: one listing a machine.
pub(crate) fn sass(kernel: &Kernel, facts: &Facts) -> Result<String, String> {
    if !kernel.directives.lines().any(|line| line.split_whitespace().nth(1) == Some("sass")) {
        return Err(format!("`{}` does not ask for it: add `//@ sass`", kernel.path));
    }
    let mut out = String::new();
    for measured in facts.measured(kernel).filter(|m| !m.result.sass.is_empty()) {
        let lines = measured.result.sass.lines().count();
        let listing = format!(
            "<pre class=\"cuda-terminal cuda-sass\"><samp>{}</samp></pre>\n",
            escape(measured.result.sass.trim_end())
        );
        let stale = if measured.stale { Badge::Stale.html("") } else { String::new() };
        let what = format!(
            "The machine's instructions for <code>{}</code> on an {}",
            escape(kernel.file_name()),
            escape(measured.recording.gpu())
        );
        out.push_str("<div class=\"cuda-sass-listing\">\n");
        if lines > LINES {
            let _ = writeln!(
                out,
                "<details><summary>{what}, {lines} lines {stale}</summary>\n{listing}</details>"
            );
        } else {
            let _ = writeln!(out, "<p class=\"cuda-caption\">{what} {stale}</p>\n{listing}");
        }
        out.push_str("</div>\n");
    }
    if out.is_empty() {
        return Ok(format!(
            "<p class=\"cuda-caption\">The machine's instructions for <code>{}</code>: {}</p>\n",
            escape(kernel.file_name()),
            Badge::NotMeasured.html("")
        ));
    }
    Ok(out)
}
