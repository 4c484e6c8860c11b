//! A line chart: one quantity over another, with the scatter of each point.
//!
//! A chart is drawn for the width of a phone. It does not rely on colour: each series has a mark and
//! a dash of its own, listed above the chart. The numbers are in the table beside it.

use super::axis::{Axis, labelled};
use super::quantity;
use super::svg::{Anchor, Drawing, WIDTH, raised, short};

/// What is drawn.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct LineChart {
    /// What it shows, in a few words.
    pub(crate) title: String,
    /// The quantity of the axis below.
    pub(crate) x: String,
    /// The quantity of the axis beside.
    pub(crate) y: String,
    /// One or several.
    pub(crate) series: Vec<Series>,
}

/// One line of the chart.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Series {
    /// Empty where there is only one.
    pub(crate) label: String,
    pub(crate) points: Vec<Point>,
}

/// A median, with the tenth and the ninetieth percentile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

const LEFT: f64 = 52.0;
const RIGHT: f64 = 14.0;
const HEIGHT: f64 = 170.0;
/// The height of a line of the legend.
const LEGEND: f64 = 17.0;

/// From values to places in the drawing.
struct Scale {
    across: Axis,
    up: Axis,
    bottom: f64,
}

impl Scale {
    fn x(&self, value: f64) -> f64 {
        LEFT + 6.0 + self.across.at(value) * (WIDTH - LEFT - RIGHT - 12.0)
    }

    fn y(&self, value: f64) -> f64 {
        self.bottom - self.up.at(value) * HEIGHT
    }
}

/// The chart as SVG; empty where there are no two values of `x`. `id` must be unique on the page.
pub(crate) fn svg(chart: &LineChart, id: &str) -> String {
    let points = || chart.series.iter().flat_map(|series| &series.points);
    let mut xs: Vec<f64> = points().map(|point| point.x).collect();
    xs.sort_by(f64::total_cmp);
    xs.dedup();
    if xs.len() < 2 {
        return String::new();
    }
    let heights: Vec<f64> = points().flat_map(|p| [p.y, p.low, p.high]).collect();
    let has_legend = chart.series.len() > 1;
    let legend = if has_legend { LEGEND * chart.series.len() as f64 } else { 0.0 };
    let mut drawing = Drawing::new("cuda-plot cuda-chart");
    let head = drawing.title(&chart.title);
    let across = Axis::below(&xs);
    let up = Axis::beside(&heights, &across);
    let unit = match (unit(chart), up.log) {
        (unit, false) => unit,
        (unit, true) if unit.is_empty() => "(logarithmic)".to_owned(),
        (unit, true) => format!("{unit} (logarithmic)"),
    };
    let above = if unit.is_empty() { 8.0 } else { 20.0 };
    let bottom = head + legend + above + HEIGHT;
    let scale = Scale { across, up, bottom };
    axes(&mut drawing, chart, &scale, &xs);
    if !unit.is_empty() {
        drawing.text("cuda-plot-tick", (4.0, bottom - HEIGHT - 9.0), Anchor::Start, &unit);
    }
    for (i, series) in chart.series.iter().enumerate() {
        line(&mut drawing, series, i, &scale);
        if has_legend {
            let middle = head + LEGEND * i as f64 + 6.0;
            drawing.path(&line_class(i), &format!("M6 {}H34", short(middle)));
            mark(&mut drawing, i, 20.0, middle);
            let at = (42.0, middle + 4.0);
            drawing.text("cuda-plot-label", at, Anchor::Start, &series.label);
        }
    }
    drawing.finish(bottom + 38.0, id, &chart.title, &description(chart))
}

/// Grid lines, ticks and the name of the axis below.
fn axes(drawing: &mut Drawing, chart: &LineChart, scale: &Scale, xs: &[f64]) {
    for value in scale.up.ticks() {
        let at = scale.y(value);
        drawing.line("cuda-plot-grid", (LEFT, at), (WIDTH - RIGHT, at));
        let label = quantity::tick(&chart.y, value);
        drawing.text("cuda-plot-tick", (LEFT - 5.0, at + 4.0), Anchor::End, &label);
    }
    for value in labelled(xs, &chart.x, &|value| scale.x(value)) {
        let at = (scale.x(value), scale.bottom + 15.0);
        let label = quantity::tick(&chart.x, value);
        drawing.rich_text("cuda-plot-tick", at, Anchor::Middle, &raised(&label));
    }
    let log = if scale.across.log { " (logarithmic)" } else { "" };
    let name = format!("{}{log}", quantity::heading(&chart.x));
    let at = ((LEFT + WIDTH - RIGHT) / 2.0, scale.bottom + 31.0);
    drawing.text("cuda-plot-tick", at, Anchor::Middle, &name);
}

/// A line, its marks, and how far each point scatters.
fn line(drawing: &mut Drawing, series: &Series, i: usize, scale: &Scale) {
    let mut points = series.points.clone();
    points.retain(|point| point.y.is_finite());
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    let place = |p: &Point| format!("{} {}", short(scale.x(p.x)), short(scale.y(p.y)));
    let path: Vec<String> = points.iter().map(place).collect();
    drawing.path(&line_class(i), &format!("M{}", path.join("L")));
    let whiskers: String = points
        .iter()
        .map(|point| (scale.x(point.x), scale.y(point.low), scale.y(point.high)))
        .filter(|(_, low, high)| (low - high).abs() > 2.0)
        .map(|(at, low, high)| {
            let (left, at, low, high) = (short(at - 3.0), short(at), short(low), short(high));
            format!("M{at} {low}V{high}M{left} {low}h6M{left} {high}h6")
        })
        .collect();
    if !whiskers.is_empty() {
        drawing.path("cuda-plot-whisker", &whiskers);
    }
    for point in &points {
        mark(drawing, i, scale.x(point.x), scale.y(point.y));
    }
}

/// The unit of the axis beside; empty where the ticks have it, or the title.
fn unit(chart: &LineChart) -> String {
    match chart.y.as_str() {
        "gbps" | "gflops" | "tflops" | "percent" | "cycles" | "ns" => {
            let unit = quantity::heading(&chart.y);
            if chart.title.contains(&unit) { String::new() } else { unit }
        }
        _ => String::new(),
    }
}

fn line_class(i: usize) -> String {
    format!("cuda-line-{} cuda-dash-{}", i % 5, i / 5 % 3)
}

/// The mark of the series of this number: disc, square, triangle, diamond, cross; then the same in
/// outline, and a plus.
fn mark(drawing: &mut Drawing, i: usize, x: f64, y: f64) {
    let shape = match i % 5 {
        0 => format!("M{} {}a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", short(x - 4.0), short(y)),
        1 => format!("M{} {}h7v7h-7z", short(x - 3.5), short(y - 3.5)),
        2 => format!("M{} {}l4.5 8h-9z", short(x), short(y - 5.0)),
        3 => format!("M{} {}l5 5l-5 5l-5-5z", short(x), short(y - 5.0)),
        _ if i / 5 % 2 == 1 => format!("M{} {}h10m-5-5v10", short(x - 5.0), short(y)),
        _ => format!("M{} {}l8 8m0-8l-8 8", short(x - 4.0), short(y - 4.0)),
    };
    let outline = if i / 5 % 2 == 1 { " cuda-outline" } else { "" };
    drawing.path(&format!("cuda-mark-{}{outline}", i % 5), &shape);
}

/// The chart in words, for those who cannot see it.
fn description(chart: &LineChart) -> String {
    let all = chart.series.iter().map(|series| {
        let points: Vec<String> = series
            .points
            .iter()
            .map(|p| {
                format!("{} at {}", quantity::text(&chart.y, p.y), quantity::tick(&chart.x, p.x))
            })
            .collect();
        let label =
            if series.label.is_empty() { String::new() } else { format!("{}: ", series.label) };
        format!("{label}{}", points.join(", "))
    });
    all.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: &[(f64, f64)]) -> LineChart {
        let points = points.iter().map(|&(x, y)| Point { x, y, low: y * 0.9, high: y * 1.1 });
        let series = Series { label: "<one>".to_string(), points: points.collect() };
        LineChart { title: "t".into(), x: "stride".into(), y: "gbps".into(), series: vec![series] }
    }

    #[test]
    fn a_chart_is_never_out_of_its_frame_and_has_no_nan() {
        for points in [
            &[(1.0, 5.0), (2.0, 0.0)][..],
            &[(1.0, 1e-9), (64.0, 1e12)],
            &[(0.0, -5.0), (1.0, f64::NAN)],
        ] {
            let svg = svg(&chart(points), "c");
            assert!(
                svg.contains("</svg>") && !svg.contains("NaN") && !svg.contains("inf"),
                "{svg}"
            );
        }
        assert_eq!(svg(&chart(&[(1.0, 5.0)]), "c"), "", "one point is no line");
    }
}
