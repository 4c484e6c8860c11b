//! A quantity over another: lines with points and their scatter, or bars where there is no axis.
//!
//! A chart is drawn for the width of a phone and says with shapes what it says with colours: each
//! line has a mark and a dash of its own, listed above the chart. Whether an axis is logarithmic
//! follows from the data: it is where the values span a factor of sixteen and more. The numbers
//! themselves stand in the table beside it.

use crate::html::escape;
use crate::number;
use crate::quantity;
use std::fmt::Write;

/// What is drawn.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Chart {
    /// What it shows, in a few words.
    pub(crate) title: String,
    /// The name of the axis below.
    pub(crate) x: String,
    /// The quantity of the axis beside.
    pub(crate) y: String,
    /// One or several.
    pub(crate) lines: Vec<Line>,
}

/// One line, its points by `x`.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Line {
    /// Empty where there is only one.
    pub(crate) label: String,
    pub(crate) points: Vec<Dot>,
}

/// A point with the tenth and the ninetieth percentile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Dot {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

const WIDTH: f64 = 360.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 14.0;
const HEIGHT: f64 = 170.0;
const LEGEND: f64 = 17.0;

/// An axis: what is at its ends, and whether it is logarithmic.
struct Axis {
    low: f64,
    high: f64,
    log: bool,
}

impl Axis {
    /// Along the values themselves.
    fn along(values: &[f64]) -> Axis {
        let (low, high) = ends(values);
        let log = low > 0.0 && high / low >= 16.0;
        if low == high {
            return Axis { low: low - 0.5, high: high + 0.5, log: false };
        }
        Axis { low, high, log }
    }

    /// From zero where the values lie close together, else over their decades.
    fn up(values: &[f64]) -> Axis {
        let (low, high) = ends(values);
        if low > 0.0 && high / low >= 50.0 {
            let power = |v: f64| 10f64.powf(v);
            return Axis {
                low: power(low.log10().floor()),
                high: power(high.log10().ceil()),
                log: true,
            };
        }
        let high = if high > 0.0 { high * 1.08 } else { 1.0 };
        Axis { low: low.min(0.0), high, log: false }
    }

    /// 0 at the low end, 1 at the high one.
    fn at(&self, value: f64) -> f64 {
        let share = if self.log {
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        share.clamp(0.0, 1.0)
    }

    /// Round values between the ends.
    fn ticks(&self) -> Vec<f64> {
        if self.log {
            let decades = (self.high / self.low).log10().round().max(1.0) as i32;
            let step = (decades + 4) / 5;
            return (0..=decades / step).map(|i| self.low * 10f64.powi(i * step)).collect();
        }
        let step = number::step(self.high - self.low);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        (first..=last).map(|i| i as f64 * step).collect()
    }
}

/// The smallest and the largest finite value; 0 and 1 where there is none.
fn ends(values: &[f64]) -> (f64, f64) {
    let finite = || values.iter().copied().filter(|v| v.is_finite());
    let (low, high) =
        (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
    if low <= high { (low, high) } else { (0.0, 1.0) }
}

/// The chart as SVG; nothing where there are no two values of `x`. `id` must be unique on the page.
pub(crate) fn svg(chart: &Chart, id: &str) -> String {
    let dots = || chart.lines.iter().flat_map(|line| &line.points);
    let mut xs: Vec<f64> = dots().map(|dot| dot.x).collect();
    xs.sort_by(f64::total_cmp);
    xs.dedup();
    if xs.len() < 2 {
        return String::new();
    }
    let heights: Vec<f64> = dots().flat_map(|dot| [dot.y, dot.low, dot.high]).collect();
    let (across, up) = (Axis::along(&xs), Axis::up(&heights));
    let legend = if chart.lines.len() > 1 { LEGEND * chart.lines.len() as f64 } else { 0.0 };
    let top = 26.0 + legend + 8.0;
    let bottom = top + HEIGHT;
    let x = |value: f64| LEFT + 6.0 + across.at(value) * (WIDTH - LEFT - RIGHT - 12.0);
    let y = |value: f64| bottom - up.at(value) * HEIGHT;
    let mut out = format!(
        "<svg class=\"cuda-plot cuda-chart\" viewBox=\"0 0 {WIDTH} {}\" role=\"img\" \
         aria-labelledby=\"{id}-title {id}-desc\" xmlns=\"http://www.w3.org/2000/svg\">\n\
         <title id=\"{id}-title\">{}</title>\n<desc id=\"{id}-desc\">{}</desc>\n\
         <text class=\"cuda-plot-title\" x=\"4\" y=\"16\">{}</text>\n",
        bottom + 38.0,
        escape(&chart.title),
        escape(&description(chart)),
        escape(&chart.title),
    );
    for value in up.ticks() {
        let at = y(value);
        let _ = writeln!(
            out,
            "<line class=\"cuda-plot-grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" />\
             <text class=\"cuda-plot-tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            WIDTH - RIGHT,
            LEFT - 5.0,
            at + 4.0,
            escape(&quantity::tick(&chart.y, value)),
        );
    }
    for value in labelled(&xs, &chart.x, &x) {
        let _ = writeln!(
            out,
            "<text class=\"cuda-plot-tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x(value),
            bottom + 15.0,
            escape(&quantity::tick(&chart.x, value)),
        );
    }
    let _ = writeln!(
        out,
        "<text class=\"cuda-plot-tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        bottom + 31.0,
        escape(&format!(
            "{}{}",
            quantity::heading(&chart.x),
            if across.log { " (logarithmic)" } else { "" }
        )),
    );
    for (i, line) in chart.lines.iter().enumerate() {
        draw(&mut out, line, i, &x, &y);
        if legend > 0.0 {
            let middle = 26.0 + LEGEND * i as f64 + 6.0;
            let _ = writeln!(
                out,
                "<path class=\"cuda-line-{} cuda-dash-{}\" d=\"M6 {middle:.1}H34\" />{}\
                 <text class=\"cuda-plot-label\" x=\"42\" y=\"{:.1}\">{}</text>",
                i % 5,
                i / 5 % 3,
                mark(i, 20.0, middle),
                middle + 4.0,
                escape(&line.label),
            );
        }
    }
    out.push_str("</svg>\n");
    out
}

/// A line, its marks, and how far each point scatters.
fn draw(out: &mut String, line: &Line, i: usize, x: &dyn Fn(f64) -> f64, y: &dyn Fn(f64) -> f64) {
    let mut dots = line.points.clone();
    dots.retain(|dot| dot.y.is_finite());
    dots.sort_by(|a, b| a.x.total_cmp(&b.x));
    let path: Vec<String> = dots.iter().map(|d| format!("{:.1} {:.1}", x(d.x), y(d.y))).collect();
    let whiskers: String = dots
        .iter()
        .filter(|dot| (y(dot.low) - y(dot.high)).abs() > 2.0)
        .map(|dot| {
            let (at, low, high) = (x(dot.x), y(dot.low), y(dot.high));
            format!(
                "M{at:.1} {low:.1}V{high:.1}M{:.1} {low:.1}h6M{:.1} {high:.1}h6",
                at - 3.0,
                at - 3.0
            )
        })
        .collect();
    let _ = writeln!(
        out,
        "<path class=\"cuda-line-{} cuda-dash-{}\" d=\"M{}\" />",
        i % 5,
        i / 5 % 3,
        path.join("L")
    );
    if !whiskers.is_empty() {
        let _ = writeln!(out, "<path class=\"cuda-plot-whisker\" d=\"{whiskers}\" />");
    }
    for dot in &dots {
        out.push_str(&mark(i, x(dot.x), y(dot.y)));
    }
    out.push('\n');
}

/// The mark of the line of this number: disc, square, triangle, diamond, cross.
fn mark(i: usize, x: f64, y: f64) -> String {
    let shape = match i % 5 {
        0 => format!("M{:.1} {y:.1}a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", x - 4.0),
        1 => format!("M{:.1} {:.1}h7v7h-7z", x - 3.5, y - 3.5),
        2 => format!("M{x:.1} {:.1}l4.5 8h-9z", y - 5.0),
        3 => format!("M{x:.1} {:.1}l5 5l-5 5l-5-5z", y - 5.0),
        _ => format!("M{:.1} {:.1}l8 8m0-8l-8 8", x - 4.0, y - 4.0),
    };
    format!("<path class=\"cuda-mark-{}\" d=\"{shape}\" />", i % 5)
}

/// As many of the values as have room for their labels: from both ends inwards, evenly.
fn labelled(xs: &[f64], quantity: &str, x: &dyn Fn(f64) -> f64) -> Vec<f64> {
    let longest = xs.iter().map(|v| quantity::tick(quantity, *v).chars().count()).max();
    let room = (6.0 * longest.unwrap_or(0) as f64 + 8.0).max(34.0);
    let mut shown: Vec<f64> = Vec::new();
    let last = xs[xs.len() - 1];
    for value in xs {
        let near = |other: f64| (x(*value) - x(other)).abs() < room;
        if *value == last || !(shown.last().is_some_and(|s| near(*s)) || near(last)) {
            shown.push(*value);
        }
    }
    shown
}

/// A bar: what it stands for, and how long it is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bar {
    pub(crate) label: String,
    pub(crate) y: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// Bars from the left, each under its label and value. `id` must be unique on the page.
pub(crate) fn bars(title: &str, quantity: &str, bars: &[Bar], id: &str) -> String {
    let values: Vec<f64> = bars.iter().flat_map(|bar| [bar.y, bar.high]).collect();
    let (low, high) = ends(&values);
    if bars.is_empty() || low < 0.0 || high <= 0.0 {
        return String::new();
    }
    let x = |value: f64| 4.0 + value.max(0.0) / (high * 1.02) * (WIDTH - 4.0 - RIGHT);
    let words: Vec<String> =
        bars.iter().map(|b| format!("{}: {}", b.label, quantity::text(quantity, b.y))).collect();
    let mut out = format!(
        "<svg class=\"cuda-plot cuda-chart\" viewBox=\"0 0 {WIDTH} {}\" role=\"img\" \
         aria-labelledby=\"{id}-title {id}-desc\" xmlns=\"http://www.w3.org/2000/svg\">\n\
         <title id=\"{id}-title\">{}</title>\n<desc id=\"{id}-desc\">{}</desc>\n\
         <text class=\"cuda-plot-title\" x=\"4\" y=\"16\">{}</text>\n",
        30.0 + 36.0 * bars.len() as f64,
        escape(title),
        escape(&words.join("; ")),
        escape(title),
    );
    for (i, bar) in bars.iter().enumerate() {
        let top = 26.0 + 36.0 * i as f64;
        let _ = writeln!(
            out,
            "<text class=\"cuda-plot-label\" x=\"4\" y=\"{:.1}\">{} \
             <tspan class=\"cuda-plot-number\">{}</tspan></text>\
             <rect class=\"cuda-plot-bar\" x=\"4\" y=\"{:.1}\" width=\"{:.1}\" height=\"14\" />",
            top + 12.0,
            escape(&bar.label),
            escape(&quantity::text(quantity, bar.y)),
            top + 16.0,
            (x(bar.y) - 4.0).max(0.5),
        );
        let (low, high, middle) = (x(bar.low), x(bar.high), top + 23.0);
        if high - low > 2.0 {
            let _ = writeln!(
                out,
                "<path class=\"cuda-plot-whisker\" d=\"M{low:.1} {middle:.1}H{high:.1}M{low:.1} {:.1}v6M{high:.1} {:.1}v6\" />",
                middle - 3.0,
                middle - 3.0,
            );
        }
    }
    out.push_str("</svg>\n");
    out
}

/// The chart in words, for those who cannot see it.
fn description(chart: &Chart) -> String {
    let lines = chart.lines.iter().map(|line| {
        let points: Vec<String> = line
            .points
            .iter()
            .map(|d| {
                format!("{} at {}", quantity::text(&chart.y, d.y), quantity::tick(&chart.x, d.x))
            })
            .collect();
        let label = if line.label.is_empty() { String::new() } else { format!("{}: ", line.label) };
        format!("{label}{}", points.join(", "))
    });
    lines.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: &[(f64, f64)]) -> Chart {
        let dots = points.iter().map(|&(x, y)| Dot { x, y, low: y * 0.9, high: y * 1.1 });
        let line = Line { label: "<one>".to_string(), points: dots.collect() };
        Chart { title: "t".into(), x: "stride".into(), y: "gbps".into(), lines: vec![line] }
    }

    #[test]
    fn axes_follow_the_data() {
        assert!(Axis::along(&[1.0, 2.0, 32.0]).log && !Axis::along(&[8.0, 16.0, 32.0]).log);
        assert!(!Axis::along(&[0.0, 1000.0]).log, "a zero has no logarithm");
        let near = Axis::up(&[80.0, 100.0]);
        assert_eq!((near.low, near.log), (0.0, false));
        let far = Axis::up(&[3.0, 900.0]);
        assert_eq!((far.low, far.high, far.log), (1.0, 1000.0, true));
        assert_eq!(far.ticks(), [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(Axis::up(&[4000.0]).ticks(), [0.0, 1000.0, 2000.0, 3000.0, 4000.0]);
    }

    #[test]
    fn labels_keep_their_distance() {
        let xs: Vec<f64> = (0..64).map(f64::from).collect();
        let shown = labelled(&xs, "count", &|v| v * 4.0);
        assert_eq!((shown[0], shown[shown.len() - 1]), (0.0, 63.0));
        assert!(shown.windows(2).all(|pair| (pair[1] - pair[0]) * 4.0 >= 34.0), "{shown:?}");

        let long = labelled(&[1_048_576.0, 4_194_304.0, 16_777_216.0], "bytes", &|v| v.ln() * 28.0);
        assert_eq!(long, [1_048_576.0, 16_777_216.0], "\"1.05 MB\" takes more room");
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
        assert_eq!(bars("t", "gbps", &[], "c"), "");
    }
}
