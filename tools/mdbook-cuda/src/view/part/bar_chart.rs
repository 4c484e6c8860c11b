//! A horizontal bar chart: a label and a value, and under them the bar with its scatter.

use super::axis::ends;
use super::quantity;
use super::svg::{Drawing, WIDTH};

/// A median, with the tenth and the ninetieth percentile.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bar {
    pub(crate) label: String,
    pub(crate) value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

const LEFT: f64 = 4.0;
const RIGHT: f64 = 14.0;
/// The height of a bar with its label.
const SLOT: f64 = 36.0;

/// The chart as SVG; empty where nothing can be drawn. `id` must be unique on the page.
pub(crate) fn svg(title: &str, quantity: &str, bars: &[Bar], id: &str) -> String {
    let values: Vec<f64> = bars.iter().flat_map(|bar| [bar.value, bar.high]).collect();
    let (low, high) = ends(&values);
    if bars.is_empty() || low < 0.0 || high <= 0.0 {
        return String::new();
    }
    let x = |value: f64| LEFT + value.max(0.0) / (high * 1.02) * (WIDTH - LEFT - RIGHT);
    let mut drawing = Drawing::new("cuda-plot cuda-chart");
    let head = drawing.title(title);
    let mut said = Vec::new();
    for (i, bar) in bars.iter().enumerate() {
        let top = head + SLOT * i as f64;
        let value = quantity::text(quantity, bar.value);
        drawing.label_and_number((LEFT, top + 12.0), &bar.label, &value);
        drawing.bar("cuda-plot-bar", (LEFT, top + 16.0), x(bar.value) - LEFT);
        if x(bar.high) - x(bar.low) > 2.0 {
            drawing.whisker(x(bar.low), x(bar.high), top + 23.0);
        }
        said.push(format!("{}: {value}", bar.label));
    }
    drawing.finish(head + 4.0 + SLOT * bars.len() as f64, id, title, &said.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_title_takes_several_lines() {
        let bar = Bar { label: "one".into(), value: 1.0, low: 1.0, high: 1.0 };
        let title = "Cycles for one step of a chain, by what the step does: cycles";
        let svg = svg(title, "cycles", &[bar], "c");
        let lines = ["Cycles for one step of a chain, by what the step", "does: cycles"];
        assert!(lines.iter().all(|line| svg.contains(&format!(">{line}</text>"))), "{svg}");
    }

    #[test]
    fn no_bars_are_no_chart() {
        assert_eq!(svg("t", "gbps", &[], "c"), "");
    }
}
