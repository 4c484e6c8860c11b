//! A panel of the ladder: a bar chart for one size, a bar per rung, with the ceiling and the library
//! as lines.
//!
//! On a wide page two panels are side by side at the same scale.

use super::html::escape;
use super::measurement::{Columns, Rate};
use super::svg::{Anchor, Drawing, WIDTH, span};
use super::{number, quantity};
use crate::facts::{Kernel, Recording};
use kernel_file::directive::Role;
use kernel_file::fill::ElementType;
use std::collections::BTreeSet;
use verify::results::{Baseline, BaselineKind, Measurement};

/// One panel's data.
#[derive(Debug, Clone, Default)]
pub(crate) struct Panel {
    /// The size.
    pub(crate) n: u64,
    /// Bytes that must move at this size.
    pub(crate) bytes: u64,
    /// The unit of all rates.
    pub(crate) unit: &'static str,
    /// One per rung, from the first down.
    pub(crate) bars: Vec<RungBar>,
    /// The ceiling and the library.
    pub(crate) lines: Vec<ReferenceLine>,
}

/// A rung.
#[derive(Debug, Clone)]
pub(crate) struct RungBar {
    /// `1 neighbored`.
    pub(crate) label: String,
    /// Its rate; `None` where it was not measured.
    pub(crate) rate: Option<RateSpread>,
    /// Measured from an older source than the page shows.
    pub(crate) stale: bool,
}

/// A rate at the median, and at the slowest and fastest tenth.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RateSpread {
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// A line that the rungs are compared with.
#[derive(Debug, Clone)]
pub(crate) struct ReferenceLine {
    pub(crate) label: String,
    pub(crate) value: f64,
    /// `ceiling` or `library`: its class.
    pub(crate) kind: &'static str,
}

/// One rung against the ceiling and the library, at the largest size that was measured; `None` where
/// none was. `id` must be unique on the page.
pub(crate) fn alone(kernel: &Kernel, recording: &Recording, id: &str) -> Option<String> {
    let rungs = [kernel];
    let n = *sizes(&rungs, recording).last()?;
    let panel = self::panel(&rungs, recording, n);
    Some(svg(&panel, highest(&panel), id))
}

/// Every size at which a rung was measured, the smallest first.
pub(crate) fn sizes(rungs: &[&Kernel], recording: &Recording) -> BTreeSet<u64> {
    let measured = rungs.iter().filter_map(|kernel| recording.of(kernel.stem()));
    measured.flat_map(|found| found.result.sizes.keys().copied()).collect()
}

/// Baselines of the same work, in the order of the page: the library, then the ceiling.
pub(crate) fn baselines<'a>(
    rungs: &[&Kernel],
    recording: &'a Recording,
    n: u64,
    rate: Rate,
) -> Vec<&'a Baseline> {
    let (bytes, element) = (bytes(rungs, recording, n), element(rungs));
    let same_type = |b: &Baseline| match &b.element {
        _ if b.kind == BaselineKind::Ceiling => true,
        Some(of) => element.is_none_or(|element| element.name() == of),
        None => is_of_ratios(b, rungs, recording),
    };
    let same = |b: &&Baseline| same_type(b) && b.sizes.get(&n).is_some_and(|m| m.bytes == bytes);
    if rate != Rate::Memory {
        return Vec::new();
    }
    let mut all: Vec<&Baseline> = Vec::new();
    for baseline in recording.results.baselines.values().filter(same) {
        // A chapter may have several ladders of the same work, each timed beside the library: the
        // first is shown for all.
        if !all.iter().any(|known| known.title == baseline.title) {
            all.push(baseline);
        }
    }
    all.sort_by_key(|baseline| baseline.kind == BaselineKind::Ceiling);
    all
}

/// The bytes that must move at this size: the same for every rung.
pub(crate) fn bytes(rungs: &[&Kernel], recording: &Recording, n: u64) -> u64 {
    let measured = rungs.iter().filter_map(|kernel| recording.of(kernel.stem()));
    measured.filter_map(|found| Some(found.result.sizes.get(&n)?.bytes)).next().unwrap_or(0)
}

/// The share by which the median of quotients may differ from the quotient of medians.
const APART: f64 = 0.03;

/// Whether the rungs' ratios are those to this library. An older recording does not say what the library
/// summed, and a chapter may have ladders of several types: then a rung's time, multiplied by its ratio,
/// is another time.
fn is_of_ratios(library: &Baseline, rungs: &[&Kernel], recording: &Recording) -> bool {
    let results = rungs.iter().filter_map(|kernel| recording.of(kernel.stem()));
    results.flat_map(|found| &found.result.sizes).all(|(n, m)| {
        let Some((ratio, beside)) = m.ratio_to_library.zip(library.sizes.get(n)) else {
            return true;
        };
        let told = ratio.median * m.time_us.median;
        (told / beside.time_us.median - 1.0).abs() <= APART
    })
}

/// The type of the rungs' first input.
fn element(rungs: &[&Kernel]) -> Option<ElementType> {
    let arrays = &rungs.first()?.file.directives.arrays;
    arrays.iter().find(|array| array.role == Role::Input).map(|array| array.element)
}

/// The panel of one size.
pub(crate) fn panel(rungs: &[&Kernel], recording: &Recording, n: u64) -> Panel {
    let rate = columns(rungs, recording).rate;
    let bars = rungs.iter().map(|kernel| {
        let found = recording.of(kernel.stem());
        RungBar {
            label: kernel.label(),
            rate: found.and_then(|f| f.result.sizes.get(&n)).and_then(|m| reached(m, rate)),
            stale: found.is_some_and(|f| f.stale),
        }
    });
    let bytes = bytes(rungs, recording, n);
    let lines = baselines(rungs, recording, n, rate).into_iter().rev().filter_map(|baseline| {
        Some(ReferenceLine {
            label: baseline.title.clone(),
            value: baseline.sizes.get(&n)?.gbps,
            kind: match baseline.kind {
                BaselineKind::Ceiling => "ceiling",
                BaselineKind::Library => "library",
            },
        })
    });
    Panel { n, bytes, unit: rate.label(), bars: bars.collect(), lines: lines.collect() }
}

/// The rate with its spread: the slower the time, the lower the rate.
fn reached(m: &Measurement, rate: Rate) -> Option<RateSpread> {
    let median = rate.value(m)?;
    let at = |us: f64| median * m.time_us.median / us;
    Some(RateSpread { median, low: at(m.time_us.p90), high: at(m.time_us.p10) })
}

/// The columns of all rungs.
pub(crate) fn columns(rungs: &[&Kernel], recording: &Recording) -> Columns {
    let measured = rungs.iter().filter_map(|kernel| recording.of(kernel.stem()));
    Columns::of(measured.flat_map(|found| found.result.sizes.values()))
}

const LEFT: f64 = 4.0;
const RIGHT: f64 = 18.0;
/// The height of a bar with its label.
const SLOT: f64 = 36.0;

/// The panel as SVG, its axis long enough for `highest`. `id` must be unique on the page.
pub(crate) fn svg(panel: &Panel, highest: f64, id: &str) -> String {
    let top = 26.0 + 17.0 * panel.lines.len() as f64 + 6.0;
    let bottom = top + SLOT * panel.bars.len() as f64 + 4.0;
    let step = number::step(highest, 6.0);
    let end = highest * 1.02;
    let x = |rate: f64| LEFT + rate / end * (WIDTH - LEFT - RIGHT);

    let mut drawing = Drawing::new("cuda-plot");
    let title = format!("n = {}, {}", raised(panel.n), number::bytes(panel.bytes));
    drawing.rich_text("cuda-plot-title", (LEFT, 16.0), Anchor::Start, &title);
    for i in 0..=(end / step).floor() as u32 {
        let value = f64::from(i) * step;
        let at = x(value);
        drawing.line("cuda-plot-grid", (at, top), (at, bottom));
        let anchor = if i == 0 { Anchor::Start } else { Anchor::Middle };
        drawing.text(
            "cuda-plot-tick",
            (at, bottom + 14.0),
            anchor,
            &quantity::tick(panel.unit, value),
        );
    }
    drawing.text("cuda-plot-tick", (WIDTH / 2.0, bottom + 30.0), Anchor::Middle, panel.unit);
    for (i, bar) in panel.bars.iter().enumerate() {
        rung(&mut drawing, bar, top + SLOT * i as f64, &x);
    }
    for (i, line) in panel.lines.iter().enumerate() {
        let (at, y) = (x(line.value), 26.0 + 17.0 * i as f64 + 8.0);
        let class = format!("cuda-plot-{}", line.kind);
        drawing.line(&class, (at, top), (at, bottom));
        drawing.line(&class, (LEFT, y - 4.0), (LEFT + 24.0, y - 4.0));
        let value = number::significant(line.value);
        drawing.label_and_number((LEFT + 30.0, y), &line.label, &value);
    }
    let title = format!("{} of each rung at n = {}", panel.unit, number::count(panel.n));
    drawing.finish(bottom + 38.0, id, &title, &description(panel))
}

/// A rung's label and value, and under them its bar with the scatter. At the bar's end the value
/// would collide with the lines of the ceiling and the library.
fn rung(drawing: &mut Drawing, bar: &RungBar, y: f64, x: &dyn Fn(f64) -> f64) {
    let stale = if bar.stale { " (stale)" } else { "" };
    let value = match bar.rate {
        Some(rate) => span("cuda-plot-number", &number::significant(rate.median)),
        None => span("cuda-plot-tick", "not measured"),
    };
    let text = format!("{}{stale} {value}", escape(&bar.label));
    drawing.rich_text("cuda-plot-label", (LEFT, y + 12.0), Anchor::Start, &text);
    let Some(rate) = bar.rate else { return };
    let class = if bar.stale { "cuda-plot-bar cuda-stale" } else { "cuda-plot-bar" };
    drawing.bar(class, (LEFT, y + 16.0), x(rate.median) - LEFT);
    drawing.whisker(x(rate.low), x(rate.high), y + 23.0);
}

/// A size with its exponent raised.
fn raised(n: u64) -> String {
    let text =
        number::power(n).map_or_else(|| number::count(n), |exponent| format!("2^{exponent}"));
    super::svg::raised(&text)
}

/// The highest rate that a panel shows.
pub(crate) fn highest(panel: &Panel) -> f64 {
    let bars = panel.bars.iter().filter_map(|bar| bar.rate).map(|rate| rate.high.max(rate.median));
    let lines = panel.lines.iter().map(|line| line.value);
    bars.chain(lines).filter(|v| v.is_finite()).fold(0.0, f64::max).max(1e-3)
}

/// The chart in words, for those who cannot see it.
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
    fn no_two_ticks_have_one_number() {
        let rate = Some(RateSpread { median: 2.0, low: 1.9, high: 2.1 });
        let bar = RungBar { label: "1 a".to_string(), rate, stale: false };
        let svg = svg(&Panel { bars: vec![bar], unit: "GB/s", ..Panel::default() }, 2.23, "p");
        for tick in ["0", "0.5", "1", "1.5", "2"] {
            assert_eq!(svg.matches(&format!(">{tick}</text>")).count(), 1, "{tick}: {svg}");
        }
    }

    #[test]
    fn a_panel_without_any_measurement_is_still_a_chart() {
        let bar = RungBar { label: "1 <a>".to_string(), rate: None, stale: false };
        let svg = svg(&Panel { bars: vec![bar], ..Panel::default() }, 1.0, "p");
        assert!(
            svg.contains("1 &lt;a&gt;") && svg.contains("not measured") && !svg.contains("NaN")
        );
    }
}
