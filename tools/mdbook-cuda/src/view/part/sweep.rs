//! A sweep: how a kernel's numbers change with its variables.
//!
//! One variable makes one table with a column per quantity. Two variables make one table per
//! quantity, the first variable down and the second across. The chart shows the first quantity, at the
//! largest size, over the first variable. Counters come from the simulator at the page's size, times from recordings.

use super::badge::{self, Badge};
use super::bar_chart::{self, Bar};
use super::html::{escape, slug};
use super::line_chart::{self, LineChart, Point as ChartPoint, Series};
use super::{fold, measurement, number, quantity};
use crate::facts::{Facts, Kernel, Measured};
use std::collections::BTreeSet;
use std::fmt::Write;
use verify::Point;
use verify::results::Spread;

/// How the first quantity is drawn.
#[derive(Debug, Clone)]
pub(crate) enum Shape {
    /// A line over the first variable.
    Lines,
    /// A bar for each value of the only variable, with its name; without names, with the value.
    Bars(Vec<String>),
}

/// A value of a table, with its spread where it is a median.
#[derive(Debug, Clone, Copy)]
struct Cell {
    value: f64,
    spread: Option<Spread>,
}

/// A column of the table; a table of its own where there are two variables.
#[derive(Clone)]
struct Column {
    /// What is asked for: `gbps`, `warp_instructions`.
    quantity: String,
    /// Its heading.
    heading: String,
    /// A counter's unit, or the quantity.
    unit: String,
    /// Whether it was measured; else it was counted.
    measured: bool,
    /// The size at which it was measured, where there are several.
    size: Option<u64>,
    /// One per point.
    cells: Vec<Option<Cell>>,
}

/// The sweep in a kernel's figure: the quantities in which its points differ.
pub(crate) fn of_kernel(kernel: &Kernel, facts: &Facts) -> String {
    figures(&[kernel], facts, &[], &Shape::Lines, "points")
}

/// A kernel that is shown, its recording on one machine, and its columns.
struct Swept<'a> {
    kernel: &'a Kernel,
    measured: Option<Measured<'a>>,
    columns: Vec<Column>,
}

/// The figures, one per machine, or the counters alone. Several kernels vary the same variable alike.
/// `id` begins their ids.
pub(crate) fn figures(
    kernels: &[&Kernel],
    facts: &Facts,
    quantities: &[String],
    shape: &Shape,
    id: &str,
) -> String {
    let mut files: Vec<&str> = Vec::new();
    for measured in kernels.iter().flat_map(|kernel| facts.measured(kernel)) {
        if !files.contains(&measured.recording.file.as_str()) {
            files.push(&measured.recording.file);
        }
    }
    let on = |file: Option<&str>| {
        let swept = kernels.iter().map(|kernel| {
            let measured = facts.measured(kernel).find(|m| Some(m.recording.file.as_str()) == file);
            let columns = columns(kernel, measured.as_ref(), quantities);
            Swept { kernel, measured, columns }
        });
        figure(&swept.collect::<Vec<_>>(), quantities, shape, id)
    };
    match files.is_empty() {
        true => on(None),
        false => files.iter().map(|file| on(Some(file))).collect(),
    }
}

fn figure(all: &[Swept<'_>], quantities: &[String], shape: &Shape, id: &str) -> String {
    let first = &all[0];
    let machine = all.iter().find_map(|swept| swept.measured.as_ref());
    let machine = machine.map_or(String::new(), |m| slug(&m.recording.gpu().to_lowercase()));
    let asked: Vec<&str> = first.columns.iter().map(|c| c.quantity.as_str()).collect();
    let id = format!("{id}-{}-{machine}-{}", slug(first.kernel.stem()), slug(&asked.join("-")));
    let mut out = String::from("<div class=\"cuda-sweep\">\n");
    let drawn: Vec<(&Kernel, &Column)> =
        all.iter().filter_map(|s| Some((s.kernel, drawn(&s.columns)?))).collect();
    if let [(kernel, column), ..] = drawn.as_slice() {
        out.push_str(&match shape {
            Shape::Lines => line_chart::svg(&chart(&drawn), &id),
            Shape::Bars(names) => {
                let bars = bars(kernel, column, names);
                bar_chart::svg(&title(&drawn), &column.unit, &bars, &id)
            }
        });
    }
    let tables = match all {
        [one] => tables(one.kernel, &one.columns.iter().collect::<Vec<_>>(), quantities.is_empty()),
        _ => side_by_side(all),
    };
    match drawn.is_empty() {
        false => out.push_str(&fold::numbers("The numbers", &tables)),
        true => out.push_str(&tables),
    }
    out.push_str(&caption(all));
    out.push_str("</div>\n");
    out
}

/// The columns of several kernels as one table, each under its kernel's name.
fn side_by_side(all: &[Swept<'_>]) -> String {
    let columns = all.iter().flat_map(|swept| {
        let name = escape(swept.kernel.stem());
        swept.columns.iter().map(move |column| Column {
            heading: format!("<code>{name}</code> {}", column.heading),
            ..column.clone()
        })
    });
    let columns: Vec<Column> = columns.collect();
    down(all[0].kernel, &columns.iter().collect::<Vec<_>>())
}

/// The column of the chart: the first quantity that has values, at the largest size.
fn drawn(columns: &[Column]) -> Option<&Column> {
    let mut filled = columns.iter().filter(|c| c.cells.iter().any(Option::is_some));
    let first = filled.next()?;
    Some(filled.take_while(|c| c.quantity == first.quantity).last().unwrap_or(first))
}

/// The columns as tables. Where the page names no quantity (`only_first`), the first of those over two
/// variables is enough.
fn tables(kernel: &Kernel, columns: &[&Column], only_first: bool) -> String {
    let mut out = String::new();
    match variables(kernel).as_slice() {
        [first, second] => {
            let table = |column: &&Column| across(kernel, column, first, second);
            let shown = if only_first { 1 } else { columns.len() };
            let (shown, folded) = columns.split_at(shown.min(columns.len()));
            out.extend(shown.iter().map(table));
            if !folded.is_empty() {
                let tables: String = folded.iter().map(table).collect();
                let more = folded.len();
                let _ =
                    writeln!(out, "<details><summary>{more} more</summary>\n{tables}</details>");
            }
        }
        _ => out.push_str(&down(kernel, columns)),
    }
    out
}

/// The columns that were asked for, or those with different values.
fn columns(kernel: &Kernel, measured: Option<&Measured<'_>>, asked: &[String]) -> Vec<Column> {
    if !asked.is_empty() {
        return asked.iter().flat_map(|asked| column(kernel, measured, asked)).collect();
    }
    let mut all = Vec::new();
    for quantity in ["time_us", "gbps", "gflops"] {
        all.extend(column(kernel, measured, quantity));
    }
    all.retain(|column| column.cells.iter().any(Option::is_some));
    let counters = kernel.counters_at(&kernel.points[0]);
    let counters = counters.iter().flat_map(|c| column(kernel, None, &c.word()));
    all.extend(counters.filter(changes).take(3));
    all
}

/// Whether the values of a column differ.
fn changes(column: &Column) -> bool {
    let mut values = column.cells.iter().flatten().map(|cell| cell.value);
    let first = values.next();
    values.any(|value| Some(value) != first)
}

/// The columns of a quantity: a counter has one, a measurement has one per size.
fn column(kernel: &Kernel, measured: Option<&Measured<'_>>, asked: &str) -> Vec<Column> {
    if !measurement::QUANTITIES.contains(&asked) {
        return vec![counter(kernel, asked)];
    }
    let sizes: BTreeSet<u64> = measured
        .into_iter()
        .flat_map(|m| m.result.points.values().flat_map(|sizes| sizes.keys().copied()))
        .collect();
    let of = |n: Option<u64>| {
        let cells = kernel.points.iter().map(|point| {
            let m = measured?.result.measurement(n?, point)?;
            let (value, spread) = measurement::quantity(m, asked)?;
            Some(Cell { value, spread })
        });
        let (unit, cells) = scaled(asked, cells.collect());
        let heading = quantity::heading(unit);
        Column {
            quantity: asked.to_string(),
            heading: match n {
                Some(n) if sizes.len() > 1 => {
                    format!("{heading} <small><i>n</i> = {}</small>", number::size(n))
                }
                _ => heading,
            },
            unit: unit.to_string(),
            measured: true,
            size: n.filter(|_| sizes.len() > 1),
            cells,
        }
    };
    if sizes.is_empty() { vec![of(None)] } else { sizes.iter().map(|n| of(Some(*n))).collect() }
}

/// Values in the unit that fits the largest of them, and this unit.
fn scaled(asked: &str, cells: Vec<Option<Cell>>) -> (&str, Vec<Option<Cell>>) {
    let most = cells.iter().flatten().map(|cell| cell.value).fold(0.0, f64::max);
    if asked != "gflops" || most < quantity::TERA {
        return (asked, cells);
    }
    let smaller = |cell: Cell| Cell { value: cell.value / quantity::TERA, spread: None };
    ("tflops", cells.into_iter().map(|cell| cell.map(smaller)).collect())
}

fn counter(kernel: &Kernel, asked: &str) -> Column {
    let find = |point: &Point| {
        let counters = kernel.counters_at(point);
        counters.iter().find(|c| c.word() == asked || c.metric == asked)
    };
    let first = kernel.points.iter().find_map(find);
    let unit = first.map_or(String::new(), |c| c.unit.clone());
    let unit = if unit == "%" { unit } else { String::new() };
    Column {
        quantity: asked.to_string(),
        heading: first.map_or_else(|| escape(asked), |c| escape(&c.name)),
        unit,
        measured: false,
        size: None,
        cells: kernel
            .points
            .iter()
            .map(|point| Some(Cell { value: find(point)?.value?, spread: None }))
            .collect(),
    }
}

/// The names of the variables, in order.
fn variables(kernel: &Kernel) -> Vec<String> {
    let first = kernel.points.first().map_or(&[][..], Point::values);
    first.iter().map(|(name, _)| name.clone()).collect()
}

/// One row per point, one column per quantity.
fn down(kernel: &Kernel, columns: &[&Column]) -> String {
    let mut out =
        String::from("<div class=\"cuda-scroll\"><table class=\"cuda-table\"><thead><tr>");
    for name in variables(kernel) {
        let _ = write!(out, "<th scope=\"col\"><code>{}</code></th>", escape(&name));
    }
    for column in columns {
        let _ = write!(out, "<th scope=\"col\" class=\"cuda-num\">{}</th>", column.heading);
    }
    out.push_str("</tr></thead><tbody>\n");
    // The first point is the page's: Run and the counters beside the listing have it.
    let mut points: Vec<(usize, &Point)> = kernel.points.iter().enumerate().collect();
    points.sort_by_key(|(_, point)| point.values().iter().map(|(_, v)| *v).collect::<Vec<i64>>());
    let is_sorted = points.first().is_none_or(|(i, _)| *i == 0);
    for (i, point) in points {
        out.push_str("<tr>");
        for (_, value) in point.values() {
            let page = if i == 0 && !is_sorted { " <small>used by Run</small>" } else { "" };
            let _ = write!(out, "<th scope=\"row\">{}{page}</th>", integer(*value));
        }
        for column in columns {
            let _ = write!(out, "<td class=\"cuda-num\">{}</td>", cell(column, i));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    out
}

/// One quantity: a row per value of the first variable, a column per value of the second.
fn across(kernel: &Kernel, column: &Column, first: &str, second: &str) -> String {
    let values = |name: &str| -> Vec<i64> {
        let mut all: Vec<i64> = Vec::new();
        for value in kernel.points.iter().filter_map(|point| point.get(name)) {
            if !all.contains(&value) {
                all.push(value);
            }
        }
        all.sort_unstable();
        all
    };
    let seconds = values(second);
    let mut out = format!(
        "<div class=\"cuda-scroll\"><table class=\"cuda-table\"><caption>{}</caption><thead><tr>\
         <th scope=\"col\"><code>{}</code></th>",
        column.heading,
        escape(first)
    );
    for value in &seconds {
        let _ = write!(
            out,
            "<th scope=\"col\" class=\"cuda-num\"><code>{}</code> = {}</th>",
            escape(second),
            integer(*value)
        );
    }
    out.push_str("</tr></thead><tbody>\n");
    for row in values(first) {
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>", integer(row));
        for value in &seconds {
            let at = kernel
                .points
                .iter()
                .position(|p| p.get(first) == Some(row) && p.get(second) == Some(*value));
            let text = at.map_or("–".to_string(), |i| cell(column, i));
            let _ = write!(out, "<td class=\"cuda-num\">{text}</td>");
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    out
}

fn integer(value: i64) -> String {
    u64::try_from(value).map_or_else(|_| value.to_string().replace('-', "−"), number::count)
}

fn cell(column: &Column, i: usize) -> String {
    match column.cells[i] {
        None => "–".to_string(),
        Some(cell) => {
            let text = quantity::cell(&column.unit, cell.value);
            match cell.spread {
                Some(spread) => format!("{text} <small>{}</small>", measurement::spread(&spread)),
                None => text,
            }
        }
    }
}

/// The columns over the first variable: a line per kernel, or per value of the second variable.
fn chart(drawn: &[(&Kernel, &Column)]) -> LineChart {
    let (first, column) = drawn[0];
    let mut series: Vec<Series> = Vec::new();
    for (kernel, column) in drawn {
        for (point, cell) in kernel.points.iter().zip(&column.cells) {
            let Some(cell) = cell else { continue };
            let rest = &point.values()[1..];
            let label: Vec<String> =
                rest.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            let label = if drawn.len() > 1 { kernel.label() } else { label.join(", ") };
            let at = series.iter().position(|line| line.label == label).unwrap_or_else(|| {
                series.push(Series { label, points: Vec::new() });
                series.len() - 1
            });
            let (low, high) = cell.spread.map_or((cell.value, cell.value), |s| (s.p10, s.p90));
            let x = point.values()[0].1 as f64;
            series[at].points.push(ChartPoint { x, y: cell.value, low, high });
        }
    }
    let x = variables(first).first().cloned().unwrap_or_default();
    LineChart { title: title(drawn), x, y: column.unit.clone(), series }
}

/// A bar per value of the only variable.
fn bars(kernel: &Kernel, column: &Column, names: &[String]) -> Vec<Bar> {
    let points = kernel.points.iter().zip(&column.cells).enumerate();
    let bar = |(i, (point, cell)): (usize, (&Point, &Option<Cell>))| {
        let cell = (*cell)?;
        let (low, high) = cell.spread.map_or((cell.value, cell.value), |s| (s.p10, s.p90));
        let (variable, value) = &point.values()[0];
        let label = names.get(i).cloned();
        let label = label.unwrap_or_else(|| format!("{variable} = {}", integer(*value)));
        Some(Bar { label, value: cell.value, low, high })
    };
    points.filter_map(bar).collect()
}

/// `1_stride.cu: time, n = 2²⁸`.
fn title(drawn: &[(&Kernel, &Column)]) -> String {
    let column = drawn[0].1;
    let what = match column.measured {
        true => quantity::heading(&column.unit),
        false => column.quantity.replace('_', " "),
    };
    let at = column.size.map_or(String::new(), |n| format!(", n = {}", number::plain_size(n)));
    let names: Vec<&str> = drawn.iter().map(|(kernel, _)| kernel.file_name()).collect();
    format!("{}: {what}{at}", names.join(", "))
}

/// The files, and where their numbers come from.
fn caption(all: &[Swept<'_>]) -> String {
    let link = |swept: &Swept<'_>| {
        let (path, name) = (escape(&swept.kernel.path), escape(swept.kernel.file_name()));
        format!("<a href=\"{path}\"><code>{name}</code></a>")
    };
    let links: Vec<String> = all.iter().map(link).collect();
    let mut out = format!("<p class=\"cuda-provenance\">{}.", links.join(", "));
    let columns = || all.iter().flat_map(|swept| &swept.columns);
    if columns().any(|column| !column.measured)
        && let Some(n) = all[0].kernel.counted_size()
    {
        let _ = write!(out, " Counters: the simulator, at <i>n</i> = {}.", number::size(n));
    }
    if columns().any(|column| column.measured) {
        let measured: Vec<&Measured<'_>> = all.iter().filter_map(|s| s.measured.as_ref()).collect();
        match measured.as_slice() {
            [] => {
                let _ = write!(out, " On a GPU: {}", Badge::NotMeasured.html(""));
            }
            measured => out.push_str(&times(measured)),
        }
    }
    out.push_str("</p>\n");
    out
}

/// Where the times come from. Several are of one recording.
fn times(measured: &[&Measured<'_>]) -> String {
    let points = measured.iter().flat_map(|m| m.result.points.values());
    let sizes: BTreeSet<u64> = points.flat_map(|sizes| sizes.keys().copied()).collect();
    let at = match sizes.iter().copied().collect::<Vec<u64>>().as_slice() {
        [n] => format!(" at <i>n</i> = {}", number::size(*n)),
        _ => String::new(),
    };
    let stale = badge::stale_note(measured.iter().any(|m| m.stale));
    format!(" Times{at}:{stale} {}", measurement::recorded(measured[0].recording))
}
