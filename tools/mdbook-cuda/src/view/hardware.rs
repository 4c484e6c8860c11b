//! `{{#hardware FILE METRIC}}`: one number that Nsight Compute measured, in the running text;
//! `{{#sass FILE}}`: the machine instructions, where a kernel file asks for them; with `from "text" to
//! "text"`, these lines of them.

use super::part::badge::{self, Badge};
use super::part::html::escape;
use super::part::number;
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{Facts, Kernel, Needs};
use kernel_file::suggest::suggestion_or_list;
use kernel_file::words::Choice;
use std::fmt::Write;
use std::ops::Range;
use verify::Point;

/// A longer listing is folded.
const LINES: usize = 24;

#[derive(Debug)]
struct Hardware {
    path: String,
    /// `METRIC`, or `METRIC:unoptimised` for a build with `-G`.
    metric: String,
    choice: Choice,
}

#[derive(Debug)]
struct Sass {
    path: String,
    /// The texts in the first and the last of the lines that are shown.
    part: Option<(String, String)>,
}

/// Reads `{{#hardware FILE METRIC}}`.
pub(super) fn hardware(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    let (plain, choice) = arguments.with_choice()?;
    let [path, metric] = plain.as_slice() else { return Err(arguments.wrong()) };
    Ok(Box::new(Hardware { path: path.clone(), metric: metric.clone(), choice }))
}

/// Reads `{{#sass FILE}}`.
pub(super) fn sass(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    match arguments.plain()?.as_slice() {
        [path] => Ok(Box::new(Sass { path: path.clone(), part: None })),
        [path, from, first, to, last] if from == "from" && to == "to" => {
            let part = Some((first.clone(), last.clone()));
            Ok(Box::new(Sass { path: path.clone(), part }))
        }
        _ => Err(arguments.wrong()),
    }
}

impl Directive for Hardware {
    fn is_inline(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        Needs::kernels()
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        let kernel = page.kernel(&self.path)?;
        number(kernel, page.facts, &self.metric, &kernel.choose(&self.choice)?)
    }
}

impl Directive for Sass {
    fn needs(&self) -> Needs {
        Needs::kernels()
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        listings(page.kernel(&self.path)?, page.facts, self.part.as_ref())
    }
}

/// One metric with its source.
fn number(kernel: &Kernel, facts: &Facts, asked: &str, point: &Point) -> Result<String, String> {
    let (metric, unoptimised) = match asked.strip_suffix(":unoptimised") {
        Some(metric) => (metric, true),
        None => (asked, false),
    };
    let found = facts.measured(kernel).find_map(|measured| {
        let profile = measured.result.profile(point, unoptimised)?;
        Some((measured, profile))
    });
    let Some((measured, profile)) = found else { return Ok(Badge::NotMeasured.html("")) };
    if profile.metrics.contains_key(metric) && profile.metric(metric).is_none() {
        return Ok("undefined (a share of nothing)".to_string());
    }
    let Some(value) = profile.metric(metric) else {
        if measured.stale {
            return Ok(Badge::Stale.html(""));
        }
        let metrics = profile.metrics.keys().map(String::as_str);
        let hint = suggestion_or_list(metric, metrics);
        return Err(format!("`{metric}` of `{}` was not recorded{hint}", kernel.path));
    };
    Ok(format!(
        "<span class=\"cuda-value\" title=\"{}, at n = {}, Nsight Compute on an {}\">{}</span>{}",
        escape(asked),
        number::count(profile.n),
        escape(&measured.recording.results.machine.gpu),
        text(metric, value),
        badge::if_stale(measured.stale)
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

/// The lines from the first that holds `from` to the next that holds `to`.
fn between(lines: &[&str], from: &str, to: &str) -> Option<Range<usize>> {
    let first = lines.iter().position(|line| line.contains(from))?;
    let last = (first..lines.len()).find(|i| lines[*i].contains(to))?;
    Some(first..last + 1)
}

/// One listing per machine.
fn listings(
    kernel: &Kernel,
    facts: &Facts,
    part: Option<&(String, String)>,
) -> Result<String, String> {
    if !kernel.file.directives.sass {
        return Err(format!("the machine code of `{}` is not kept: add `//@ sass`", kernel.path));
    }
    let mut out = String::new();
    for measured in facts.measured(kernel).filter(|m| !m.result.sass.is_empty()) {
        let all: Vec<&str> = measured.result.sass.trim_end().lines().collect();
        let range = match part {
            Some((from, to)) => between(&all, from, to).ok_or_else(|| {
                let path = &kernel.path;
                format!("no lines from `{from}` to `{to}` in the machine code of `{path}`")
            })?,
            None => 0..all.len(),
        };
        let lines = range.len();
        let place = match part {
            Some(_) => format!("lines {} to {} of {}", range.start + 1, range.end, all.len()),
            None => format!("{lines} lines"),
        };
        let listing = format!(
            "<pre class=\"cuda-terminal cuda-sass\"><samp>{}</samp></pre>\n",
            escape(&all[range].join("\n"))
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
                "<details><summary>{what}, {place} {stale}</summary>\n{listing}</details>"
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
