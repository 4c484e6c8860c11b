//! `{{#hardware FILE METRIC}}`: one number that Nsight Compute measured, in the running text;
//! `{{#sass FILE}}`: the machine instructions, where a kernel file asks for them.

use super::part::badge::{self, Badge};
use super::part::html::escape;
use super::part::number;
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{Facts, Kernel, Needs};
use kernel_file::suggest::suggestion_or_list;
use kernel_file::words::Choice;
use std::fmt::Write;
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
}

/// Reads `{{#hardware FILE METRIC}}`.
pub(super) fn hardware(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    let (plain, choice) = arguments.with_choice()?;
    let [path, metric] = plain.as_slice() else { return Err(arguments.wrong()) };
    Ok(Box::new(Hardware { path: path.clone(), metric: metric.clone(), choice }))
}

/// Reads `{{#sass FILE}}`.
pub(super) fn sass(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    Ok(Box::new(Sass { path: arguments.only()? }))
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
        listings(page.kernel(&self.path)?, page.facts)
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

/// One listing per machine.
fn listings(kernel: &Kernel, facts: &Facts) -> Result<String, String> {
    if !kernel.file.directives.sass {
        return Err(format!("the machine code of `{}` is not kept: add `//@ sass`", kernel.path));
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
