//! `{{#experiment NAME}}`: what a chapter's host code measured, as a chart and a table;
//! `{{#value NAME "row" QUANTITY}}`: one of its numbers in the running text.
//!
//! `{{#experiment NAME "row" as "words"}}` shows a row under other words than it was recorded with: a
//! recording is never edited.
//!
//! Rows with an axis are drawn as lines over it, one per name. Rows without an axis are drawn as
//! bars, and so are rows whose names all differ.

use super::part::badge::{self, Badge};
use super::part::bar_chart::{self, Bar};
use super::part::html::{escape, slug, with_code};
use super::part::line_chart::{self, LineChart, Point, Series};
use super::part::{fold, measurement, quantity};
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{Facts, Needs, Recording};
use kernel_file::suggest::suggestion_or_list;
use kernel_file::words::Choice;
use std::collections::BTreeSet;
use std::fmt::Write;
use verify::results::{ExperimentResult, Row, Spread};

#[derive(Debug)]
struct Experiment {
    name: String,
    /// A row, and the words that it is shown under.
    renamed: Option<(String, String)>,
}

#[derive(Debug)]
struct Value {
    name: String,
    row: String,
    quantity: String,
    choice: Choice,
}

/// Reads `{{#experiment NAME}}`.
pub(super) fn experiment(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    let (name, renamed) = match arguments.plain()?.as_slice() {
        [name] => (name.clone(), None),
        [name, row, word, shown] if word == "as" => {
            (name.clone(), Some((row.clone(), shown.clone())))
        }
        _ => return Err(arguments.wrong()),
    };
    Ok(Box::new(Experiment { name, renamed }))
}

/// Reads `{{#value NAME "row" QUANTITY}}`.
pub(super) fn value(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    let (plain, choice) = arguments.with_choice()?;
    let [name, row, quantity] = plain.as_slice() else { return Err(arguments.wrong()) };
    let (name, row, quantity) = (name.clone(), row.clone(), quantity.clone());
    Ok(Box::new(Value { name, row, quantity, choice }))
}

impl Directive for Experiment {
    fn needs(&self) -> Needs {
        Needs::kernels()
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        figures(page.facts, &self.name, self.renamed.as_ref())
    }
}

impl Directive for Value {
    fn is_inline(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        Needs::kernels()
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        self.number(page.facts)
    }
}

impl Value {
    /// The number, with its source.
    fn number(&self, facts: &Facts) -> Result<String, String> {
        let Value { name, row, quantity: asked, choice } = self;
        facts.require_experiment(name)?;
        let found = facts
            .recordings
            .iter()
            .find_map(|recording| Some((recording, recording.results.experiments.get(name)?)));
        let Some((recording, result)) = found else { return Ok(Badge::NotMeasured.html("")) };
        let fits = |r: &&Row| {
            r.name == *row && choice.iter().all(|(axis, value)| r.x.get(axis) == Some(value))
        };
        let mut rows = result.rows.iter().filter(fits);
        let Some(first) = rows.next() else {
            let names = result.rows.iter().map(|r| r.name.as_str());
            return Err(format!("`{name}` has no row `{row}`{}", suggestion_or_list(row, names)));
        };
        if rows.next().is_some() {
            let axes: Vec<&str> = first.x.keys().map(String::as_str).collect();
            let axes = axes.join("` or `");
            return Err(format!("`{name}` has several rows `{row}`: choose one by `{axes}`"));
        }
        let Some(seen) = first.values.get(asked) else {
            let quantities = first.values.keys().map(String::as_str);
            let hint = suggestion_or_list(asked, quantities);
            return Err(format!("row `{row}` of `{name}` has no `{asked}`{hint}"));
        };
        Ok(format!(
            "<span class=\"cuda-value\" title=\"{}: {}, {}, {}\">{}</span>{}",
            escape(&result.title),
            escape(row),
            escape(&recording.results.machine.gpu),
            escape(&recording.results.machine.date),
            escape(&quantity::text(asked, seen.median)),
            badge::if_stale(recording.is_stale_experiment(name)),
        ))
    }
}

/// One figure per machine, or a line that says that nothing was recorded.
fn figures(
    facts: &Facts,
    name: &str,
    renamed: Option<&(String, String)>,
) -> Result<String, String> {
    facts.require_experiment(name)?;
    let mut out = String::new();
    for recording in &facts.recordings {
        let Some(result) = recording.results.experiments.get(name) else { continue };
        let mut result = result.clone();
        if let Some((row, shown)) = renamed {
            let named = result.rows.iter_mut().filter(|r| r.name == *row);
            if named.map(|r| r.name.clone_from(shown)).count() == 0 {
                let names = result.rows.iter().map(|r| r.name.as_str());
                let hint = suggestion_or_list(row, names);
                return Err(format!("`{name}` has no row `{row}`{hint}"));
            }
        }
        out.push_str(&figure(recording, name, &result));
    }
    if out.is_empty() {
        return Ok(format!(
            "<div class=\"cuda-sweep\" id=\"experiment-{}\"><p class=\"cuda-provenance\">\
             <a href=\"src/experiments/{}.rs\"><code>{}.rs</code></a>. On a GPU: {} \
             <code>cargo run --release -- record</code> runs it on a machine that has one.\
             </p></div>\n",
            slug(name),
            escape(name),
            escape(name),
            Badge::NotMeasured.html("")
        ));
    }
    Ok(out)
}

fn figure(recording: &Recording, name: &str, result: &ExperimentResult) -> String {
    let id = format!("{}-{}", slug(name), slug(&recording.gpu().to_lowercase()));
    let mut out = format!("<div class=\"cuda-sweep\" id=\"experiment-{id}\">\n");
    let drawing = drawing(result, &id);
    let table = table(result, &axes(result));
    match drawing.is_empty() {
        true => out.push_str(&table),
        false => out.push_str(&format!("{drawing}{}", fold::numbers("The numbers", &table))),
    }
    let stale = badge::stale_note(recording.is_stale_experiment(name));
    let mut values = result.rows.iter().flat_map(|row| row.values.values());
    let from = match values.any(scatters) {
        true => measurement::recorded(recording),
        false => measurement::when(recording),
    };
    let _ = write!(
        out,
        "<p class=\"cuda-provenance\">{}, <a href=\"src/experiments/{}.rs\">\
         <code>{}.rs</code></a>.{stale} {from}</p>\n</div>\n",
        with_code(&result.title),
        escape(name),
        escape(name),
    );
    out
}

/// The axes of the rows.
fn axes(result: &ExperimentResult) -> Vec<String> {
    let all: BTreeSet<&String> = result.rows.iter().flat_map(|row| row.x.keys()).collect();
    all.into_iter().cloned().collect()
}

/// The quantities; those that most rows have come first.
fn quantities(result: &ExperimentResult) -> Vec<String> {
    let all: BTreeSet<&String> = result.rows.iter().flat_map(|row| row.values.keys()).collect();
    let mut all: Vec<String> = all.into_iter().cloned().collect();
    let missing = |q: &String| result.rows.iter().filter(|r| !r.values.contains_key(q)).count();
    all.sort_by_key(|q| (missing(q), quantity::rank(q)));
    all
}

/// What tells a row from the others with the same value on the first axis.
fn label(row: &Row, axes: &[String]) -> String {
    let others = axes.iter().skip(1).filter_map(|axis| Some((axis, row.x.get(axis)?)));
    let others: String = others
        .map(|(axis, value)| format!(", {axis} = {}", quantity::tick(axis, *value)))
        .collect();
    format!("{}{others}", row.name)
}

/// The quantity that most rows have: as lines over the first axis where rows share names, else as
/// bars.
fn drawing(result: &ExperimentResult, id: &str) -> String {
    let Some(quantity) = quantities(result).into_iter().next() else { return String::new() };
    let axes = axes(result);
    let with = result.rows.iter().filter_map(|row| Some((row, row.values.get(&quantity)?)));
    let title = result.title.clone();
    let mut labels = BTreeSet::new();
    let all_differ = result.rows.iter().all(|row| labels.insert(label(row, &axes)));
    let Some(axis) = axes.first().filter(|_| !all_differ) else {
        let bars: Vec<Bar> = with
            .map(|(row, s)| Bar {
                label: row.name.clone(),
                value: s.median,
                low: s.p10,
                high: s.p90,
            })
            .collect();
        return if bars.len() > 1 {
            bar_chart::svg(&title, &quantity, &bars, id)
        } else {
            String::new()
        };
    };
    let mut series: Vec<Series> = Vec::new();
    for (row, s) in with {
        let Some(&x) = row.x.get(axis) else { continue };
        let label = label(row, &axes);
        let at = series.iter().position(|line| line.label == label).unwrap_or_else(|| {
            series.push(Series { label, points: Vec::new() });
            series.len() - 1
        });
        series[at].points.push(Point { x, y: s.median, low: s.p10, high: s.p90 });
    }
    line_chart::svg(&LineChart { title, x: axis.clone(), y: quantity, series }, id)
}

/// One row per case, one column per axis and per quantity.
fn table(result: &ExperimentResult, axes: &[String]) -> String {
    let quantities = quantities(result);
    let mut out = String::from(
        "<div class=\"cuda-scroll\"><table class=\"cuda-table\"><thead><tr><th scope=\"col\">case</th>",
    );
    for axis in axes {
        let heading = escape(&quantity::heading(axis));
        let _ = write!(out, "<th scope=\"col\" class=\"cuda-num\">{heading}</th>");
    }
    for quantity in &quantities {
        let heading = escape(&quantity::heading(quantity));
        let _ = write!(out, "<th scope=\"col\" class=\"cuda-num\">{heading}</th>");
    }
    out.push_str("</tr></thead><tbody>\n");
    for row in &result.rows {
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>", with_code(&row.name));
        for axis in axes {
            let value =
                row.x.get(axis).map_or("–".to_string(), |value| quantity::tick(axis, *value));
            let value = raised(&escape(&value));
            let _ = write!(out, "<td class=\"cuda-num\">{value}</td>");
        }
        for quantity in &quantities {
            let value = row.values.get(quantity).map_or("–".to_string(), |s| cell(quantity, s));
            let _ = write!(out, "<td class=\"cuda-num\">{value}</td>");
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    out
}

/// Whether it is a median of samples that differ.
fn scatters(seen: &Spread) -> bool {
    seen.samples > 1 && seen.p90 > seen.p10
}

fn cell(quantity: &str, seen: &Spread) -> String {
    let text = quantity::cell(quantity, seen.median);
    if scatters(seen) {
        format!("<b>{text}</b> <small>{}</small>", measurement::spread(seen))
    } else {
        format!("<b>{text}</b>")
    }
}

/// `2^24` as HTML.
fn raised(text: &str) -> String {
    match text.split_once('^') {
        Some((base, exponent)) => format!("{base}<sup>{exponent}</sup>"),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_are_all_different_are_bars_although_they_have_an_axis() {
        let row = |name: &str, bytes: f64| Row {
            name: name.to_owned(),
            x: [("bytes".to_owned(), bytes)].into(),
            values: [(
                "cycles".to_owned(),
                Spread { median: bytes, p10: bytes, p90: bytes, samples: 1 },
            )]
            .into(),
        };
        let drawn = |rows: Vec<Row>| {
            drawing(&ExperimentResult { rows, ..ExperimentResult::default() }, "id")
        };
        let different = drawn(vec![row("near", 1.0), row("far", 2.0)]);
        let same = drawn(vec![row("near", 1.0), row("near", 2.0)]);
        assert!(different.contains("<rect"), "{different}");
        assert!(!same.contains("<rect"), "{same}");
    }

    #[test]
    fn powers_are_raised() {
        assert_eq!(raised("2^24"), "2<sup>24</sup>");
        assert_eq!(raised("12"), "12");
    }
}
