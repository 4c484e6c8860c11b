//! `{{#experiment NAME}}`: what a chapter's host code measured, as a chart and a table;
//! `{{#value NAME "row" QUANTITY}}`: one of its numbers in the running text.
//!
//! `{{#experiment NAME "row" as "words"}}` shows a row under other words than it was recorded with, and
//! `{{#experiment NAME count as "words"}}` heads the column of a quantity so: a recording is never
//! edited. There may be several of these; `title as "words"` is for the whole.
//!
//! `{{#experiment NAME bars ratio}}` draws bars of this quantity at the end of the axis, and
//! `{{#experiment NAME over "row" "row"}}` bars of the share that each other row reaches of one of these
//! rows, at the same place on the axis.
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
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use verify::results::{ExperimentResult, Row, Spread};

#[derive(Debug)]
struct Experiment {
    name: String,
    shown: Shown,
}

/// How an experiment is shown, beyond what was recorded.
#[derive(Debug, Default)]
struct Shown {
    /// A row, a quantity or `title`, and the words that it is shown under.
    renamed: Vec<(String, String)>,
    picture: Picture,
}

/// What the chart shows.
#[derive(Debug, Default)]
enum Picture {
    /// The quantity that most rows have: lines over the first axis, or bars.
    #[default]
    Most,
    /// Bars of a quantity at the largest value of the first axis.
    Bars(String),
    /// Bars of the share that rows reach of these rows, where they have the same place on the axes.
    Over(Vec<String>),
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
    let plain = arguments.plain()?;
    let [name, others @ ..] = plain.as_slice() else { return Err(arguments.wrong()) };
    let renaming = |words: &[String]| match words {
        [what, word, shown] if word == "as" => Ok((what.clone(), shown.clone())),
        _ => Err(arguments.wrong()),
    };
    let is_picture = |word: &String| ["bars", "over"].contains(&word.as_str());
    let at = others.iter().position(is_picture).unwrap_or(others.len());
    let picture = match &others[at..] {
        [] => Picture::Most,
        [word, quantity] if word == "bars" => Picture::Bars(quantity.clone()),
        [word, rows @ ..] if word == "over" && !rows.is_empty() => Picture::Over(rows.to_vec()),
        _ => return Err(arguments.wrong()),
    };
    let renamed = others[..at].chunks(3).map(renaming).collect::<Result<_, _>>()?;
    Ok(Box::new(Experiment { name: name.clone(), shown: Shown { renamed, picture } }))
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
        figures(page.facts, &self.name, &self.shown)
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
fn figures(facts: &Facts, name: &str, shown: &Shown) -> Result<String, String> {
    facts.require_experiment(name)?;
    let mut out = String::new();
    for recording in &facts.recordings {
        let Some(result) = recording.results.experiments.get(name) else { continue };
        let mut result = result.clone();
        let mut headings = Headings::new();
        for (what, shown) in &shown.renamed {
            if what == "title" {
                result.title.clone_from(shown);
                continue;
            }
            let quantities = quantities(&result);
            if quantities.contains(what) {
                headings.insert(what.clone(), shown.clone());
                continue;
            }
            let named = result.rows.iter_mut().filter(|r| r.name == *what);
            if named.map(|r| r.name.clone_from(shown)).count() == 0 {
                let names = result.rows.iter().map(|r| &r.name).chain(&quantities);
                let hint = suggestion_or_list(what, names.map(String::as_str));
                return Err(format!("`{name}` has no row `{what}` and no such quantity{hint}"));
            }
        }
        out.push_str(&figure(recording, name, &result, &headings, &shown.picture)?);
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

/// The words above the columns of quantities, where a page has its own.
type Headings = BTreeMap<String, String>;

fn figure(
    recording: &Recording,
    name: &str,
    result: &ExperimentResult,
    headings: &Headings,
    picture: &Picture,
) -> Result<String, String> {
    let id = format!("{}-{}", slug(name), slug(&recording.gpu().to_lowercase()));
    let mut out = format!("<div class=\"cuda-sweep\" id=\"experiment-{id}\">\n");
    let drawing = match picture {
        Picture::Most => drawing(result, &id),
        Picture::Bars(quantity) => bars_at_the_end(result, name, quantity, headings, &id)?,
        Picture::Over(rows) => shares(result, name, rows, &id)?,
    };
    let table = table(result, &axes(result), headings);
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
    Ok(out)
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

/// Bars of a quantity, of the rows with the largest value of the first axis.
fn bars_at_the_end(
    result: &ExperimentResult,
    name: &str,
    quantity: &str,
    headings: &Headings,
    id: &str,
) -> Result<String, String> {
    if !quantities(result).iter().any(|known| known == quantity) {
        let hint = suggestion_or_list(quantity, quantities(result).iter().map(String::as_str));
        return Err(format!("`{name}` has no quantity `{quantity}`{hint}"));
    }
    let axes = axes(result);
    let place = |row: &Row| axes.first().and_then(|axis| row.x.get(axis)).copied();
    let end = result.rows.iter().filter_map(place).fold(f64::NEG_INFINITY, f64::max);
    let bars: Vec<Bar> = result
        .rows
        .iter()
        .filter(|row| place(row).is_none_or(|x| x == end))
        .filter_map(|row| Some((row, row.values.get(quantity)?)))
        .map(|(row, s)| Bar { label: row.name.clone(), value: s.median, low: s.p10, high: s.p90 })
        .collect();
    let heading = headings.get(quantity).cloned();
    let heading = heading.unwrap_or_else(|| quantity::heading(quantity));
    let at = axes.first().filter(|_| end.is_finite());
    let at = at.map_or(String::new(), |axis| format!(", {axis} = {}", quantity::tick(axis, end)));
    Ok(bar_chart::svg(&format!("{}: {heading}{at}", result.title), quantity, &bars, id))
}

/// Bars of the share that each row reaches of one of `references` with the same places on all axes.
fn shares(
    result: &ExperimentResult,
    name: &str,
    references: &[String],
    id: &str,
) -> Result<String, String> {
    for reference in references {
        if !result.rows.iter().any(|row| row.name == *reference) {
            let rows = result.rows.iter().map(|row| row.name.as_str());
            let hint = suggestion_or_list(reference, rows);
            return Err(format!("`{name}` has no row `{reference}`{hint}"));
        }
    }
    let Some(quantity) = quantities(result).into_iter().next() else { return Ok(String::new()) };
    let is_reference = |row: &&Row| references.contains(&row.name);
    let bar = |row: &Row| {
        let beside = result.rows.iter().filter(is_reference).find(|other| other.x == row.x)?;
        let (whole, part) = (beside.values.get(&quantity)?.median, row.values.get(&quantity)?);
        let places: String = row
            .x
            .iter()
            .map(|(axis, x)| format!(", {axis} = {}", quantity::tick(axis, *x)))
            .collect();
        Some(Bar {
            label: format!("{}{places}", row.name),
            value: part.median / whole,
            low: part.p10 / whole,
            high: part.p90 / whole,
        })
    };
    let rows = result.rows.iter().filter(|row| !is_reference(row));
    let mut bars: Vec<Bar> = rows.filter_map(bar).collect();
    // Those of one name are neighbours.
    let names: Vec<&str> = result.rows.iter().map(|row| row.name.as_str()).collect();
    let first = |bar: &Bar| names.iter().position(|name| bar.label.starts_with(name));
    bars.sort_by_key(first);
    let title = format!("{}, as a share of the {}", result.title, references[0]);
    Ok(bar_chart::svg(&title, "share", &bars, id))
}

/// One row per case, one column per axis and per quantity.
fn table(result: &ExperimentResult, axes: &[String], headings: &Headings) -> String {
    let quantities = quantities(result);
    let mut out = String::from(
        "<div class=\"cuda-scroll\"><table class=\"cuda-table\"><thead><tr><th scope=\"col\">case</th>",
    );
    for axis in axes {
        let heading = escape(&quantity::heading(axis));
        let _ = write!(out, "<th scope=\"col\" class=\"cuda-num\">{heading}</th>");
    }
    for quantity in &quantities {
        let own = headings.get(quantity).cloned();
        let heading = escape(&own.unwrap_or_else(|| quantity::heading(quantity)));
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

    /// A row at `n`.
    fn row(name: &str, n: f64, gbps: f64) -> Row {
        let spread = Spread { median: gbps, p10: gbps, p90: gbps, samples: 1 };
        Row {
            name: name.to_owned(),
            x: [("n".to_owned(), n)].into(),
            values: [("gbps".to_owned(), spread)].into(),
        }
    }

    #[test]
    fn bars_of_a_quantity_are_those_at_the_end_of_the_axis() {
        let rows = vec![row("a", 2.0, 10.0), row("b", 2.0, 20.0), row("a", 4.0, 30.0)];
        let result = ExperimentResult { rows, ..ExperimentResult::default() };
        let svg = bars_at_the_end(&result, "e", "gbps", &Headings::new(), "id").unwrap();
        assert!(svg.contains("GB/s, n = 4") && svg.contains(">30.0 GB/s<"), "{svg}");
        assert!(!svg.contains("10.0") && !svg.contains("20.0"), "{svg}");
        let wrong = bars_at_the_end(&result, "e", "gbp", &Headings::new(), "id").unwrap_err();
        assert!(wrong.contains("`e` has no quantity `gbp`"), "{wrong}");
    }

    #[test]
    fn a_share_is_that_of_the_row_at_the_same_place() {
        let rows = vec![
            row("copy", 2.0, 100.0),
            row("softmax", 2.0, 50.0),
            row("copy", 4.0, 200.0),
            row("softmax", 4.0, 180.0),
            row("sum", 8.0, 1.0),
        ];
        let result = ExperimentResult { rows, ..ExperimentResult::default() };
        let svg = shares(&result, "e", &["copy".to_owned()], "id").unwrap();
        assert!(svg.contains("softmax, n = 2 <tspan") && svg.contains(">50.0 %<"), "{svg}");
        assert!(svg.contains(">90.0 %<") && !svg.contains("sum"), "{svg}");
        assert!(shares(&result, "e", &["cop".to_owned()], "id").is_err());
    }

    #[test]
    fn powers_are_raised() {
        assert_eq!(raised("2^24"), "2<sup>24</sup>");
        assert_eq!(raised("12"), "12");
    }
}
