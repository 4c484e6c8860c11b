//! The ladder as a picture: one panel a size, a bar a rung, the ceiling and the library as lines.
//!
//! A panel is drawn for the width of a phone. On a wider page two stand side by side at the same
//! scale, so that its letters are as large as the text around it everywhere. Colours come from
//! the style sheet's custom properties; the picture itself says only what a shape is.

use crate::html::escape;
use crate::number;
use std::fmt::Write;

/// One panel's data.
#[derive(Debug, Clone, Default)]
pub(crate) struct Panel {
    /// The size.
    pub(crate) n: u64,
    /// Bytes that must move at this size.
    pub(crate) bytes: u64,
    /// Of all rates.
    pub(crate) unit: &'static str,
    /// From the first rung down.
    pub(crate) bars: Vec<Bar>,
    /// The ceiling and the library.
    pub(crate) lines: Vec<Line>,
}

/// A rung.
#[derive(Debug, Clone)]
pub(crate) struct Bar {
    /// `1 neighbored`.
    pub(crate) label: String,
    /// Its rate; `None` where it was not measured.
    pub(crate) rate: Option<Rate>,
    /// Measured from another source than the page shows.
    pub(crate) stale: bool,
}

/// A rate at the median, and at the slowest and fastest tenth.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rate {
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// A line that the rungs are held against.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) label: String,
    pub(crate) value: f64,
    /// `ceiling` or `library`: its class.
    pub(crate) kind: &'static str,
}

const WIDTH: f64 = 360.0;
const LEFT: f64 = 4.0;
const RIGHT: f64 = 18.0;
const SLOT: f64 = 36.0;
const BAR: f64 = 14.0;

/// The panel as SVG, its axis long enough for `highest`. `id` must be unique on the page.
pub(crate) fn svg(panel: &Panel, highest: f64, id: &str) -> String {
    let top = 26.0 + 17.0 * panel.lines.len() as f64 + 6.0;
    let bottom = top + SLOT * panel.bars.len() as f64 + 4.0;
    let height = bottom + 38.0;
    let step = number::step(highest);
    let end = highest * 1.02;
    let x = |gbps: f64| LEFT + gbps / end * (WIDTH - LEFT - RIGHT);

    let mut out = format!(
        "<svg class=\"cuda-plot\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-labelledby=\"{id}-title {id}-desc\" xmlns=\"http://www.w3.org/2000/svg\">\n\
         <title id=\"{id}-title\">{}</title>\n<desc id=\"{id}-desc\">{}</desc>\n\
         <text class=\"cuda-plot-title\" x=\"{LEFT}\" y=\"16\">n = {}, {}</text>\n",
        escape(&format!("{} of each rung at n = {}", panel.unit, number::count(panel.n))),
        escape(&description(panel)),
        raised(panel.n),
        number::bytes(panel.bytes),
    );
    for i in 0..=(end / step).floor() as u32 {
        let at = x(f64::from(i) * step);
        let _ = writeln!(
            out,
            "<line class=\"cuda-plot-grid\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{top:.1}\" y2=\"{bottom:.1}\" />\
             <text class=\"cuda-plot-tick\" x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"{}\">{}</text>",
            bottom + 14.0,
            if i == 0 { "start" } else { "middle" },
            tick(f64::from(i) * step),
        );
    }
    let _ = writeln!(
        out,
        "<text class=\"cuda-plot-tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        WIDTH / 2.0,
        bottom + 30.0,
        panel.unit
    );
    for (i, bar) in panel.bars.iter().enumerate() {
        draw(&mut out, bar, top + SLOT * i as f64, &x);
    }
    for (i, line) in panel.lines.iter().enumerate() {
        let (at, y) = (x(line.value), 26.0 + 17.0 * i as f64 + 8.0);
        let _ = writeln!(
            out,
            "<line class=\"cuda-plot-{kind}\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{top:.1}\" y2=\"{bottom:.1}\" />\
             <line class=\"cuda-plot-{kind}\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" />\
             <text class=\"cuda-plot-label\" x=\"{:.1}\" y=\"{y:.1}\">{} <tspan class=\"cuda-plot-number\">{}</tspan></text>",
            LEFT + 24.0,
            y - 4.0,
            y - 4.0,
            LEFT + 30.0,
            escape(&line.label),
            number::significant(line.value),
            kind = line.kind,
        );
    }
    out.push_str("</svg>\n");
    out
}

/// A rung's name and value, and under them its bar with the whisker. At the bar's end the value
/// would meet the lines of the ceiling and the library.
fn draw(out: &mut String, bar: &Bar, y: f64, x: &dyn Fn(f64) -> f64) {
    let stale = if bar.stale { " (stale)" } else { "" };
    let value = match bar.rate {
        Some(rate) => format!(
            "<tspan class=\"cuda-plot-number\">{}</tspan>",
            number::significant(rate.median)
        ),
        None => "<tspan class=\"cuda-plot-tick\">not measured</tspan>".to_string(),
    };
    let _ = writeln!(
        out,
        "<text class=\"cuda-plot-label\" x=\"{LEFT}\" y=\"{:.1}\">{}{stale} {value}</text>",
        y + 12.0,
        escape(&bar.label)
    );
    let Some(rate) = bar.rate else { return };
    let (top, middle) = (y + 16.0, y + 16.0 + BAR / 2.0);
    let (low, high) = (x(rate.low), x(rate.high));
    let _ = writeln!(
        out,
        "<rect class=\"cuda-plot-bar{}\" x=\"{LEFT}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{BAR}\" />\
         <path class=\"cuda-plot-whisker\" d=\"M{low:.1} {middle:.1}H{high:.1}M{low:.1} {:.1}v6M{high:.1} {:.1}v6\" />",
        if bar.stale { " cuda-stale" } else { "" },
        (x(rate.median) - LEFT).max(0.5),
        middle - 3.0,
        middle - 3.0,
    );
}

/// A size with its exponent raised.
fn raised(n: u64) -> String {
    number::power(n).map_or_else(
        || number::count(n),
        |exponent| format!("2<tspan dy=\"-4\" font-size=\"9\">{exponent}</tspan><tspan dy=\"4\">\u{200b}</tspan>"),
    )
}

/// The highest rate that a panel shows.
pub(crate) fn highest(panel: &Panel) -> f64 {
    let bars = panel.bars.iter().filter_map(|bar| bar.rate).map(|rate| rate.high.max(rate.median));
    let lines = panel.lines.iter().map(|line| line.value);
    bars.chain(lines).filter(|v| v.is_finite()).fold(0.0, f64::max).max(1e-3)
}

fn tick(value: f64) -> String {
    if value >= 1.0 || value == 0.0 {
        number::count(value.round() as u64)
    } else {
        number::significant(value)
    }
}

/// The picture in words, for those who cannot see it.
fn description(panel: &Panel) -> String {
    let (mut parts, unit): (Vec<String>, _) = (Vec::new(), panel.unit);
    for bar in &panel.bars {
        parts.push(match bar.rate {
            Some(rate) => format!("{}: {} {unit}", bar.label, number::significant(rate.median)),
            None => format!("{}: not measured", bar.label),
        });
    }
    for line in &panel.lines {
        parts.push(format!("{}: {} {unit}", line.label, number::significant(line.value)));
    }
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panel_without_any_measurement_is_still_a_picture() {
        let bar = Bar { label: "1 <a>".to_string(), rate: None, stale: false };
        let svg = svg(&Panel { bars: vec![bar], ..Panel::default() }, 1.0, "p");
        assert!(
            svg.contains("1 &lt;a&gt;") && svg.contains("not measured") && !svg.contains("NaN")
        );
    }
}
