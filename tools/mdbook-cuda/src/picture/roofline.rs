//! `{{#roofline}}`: how fast kernels were, against what their arithmetic intensity allows.
//!
//! Both axes are logarithmic. To the left the memory is the roof, and it rises with the work done
//! for each byte; to the right the arithmetic is. The memory's roof is the fastest that was measured
//! in the same recording; the arithmetic's is multiplied out from the device's clock, and marked
//! so. A kernel's bytes and operations are the least that it must do, as its file says.

use crate::number;
use crate::svg::{Anchor, Drawing, WIDTH};
use std::fmt::Write;

/// What is drawn.
#[derive(Debug, Clone)]
pub(crate) struct Roofline {
    /// The device, and when it was recorded.
    pub(super) machine: String,
    /// GB/s at the most.
    pub(super) memory_gbps: f64,
    /// Whether that was measured, or is only what the maker promises.
    pub(super) memory_measured: bool,
    /// GFLOP/s at the most, if the table of architectures tells.
    pub(super) peak_gflops: f64,
    pub(super) points: Vec<Rung>,
}

/// A kernel.
#[derive(Debug, Clone)]
pub(crate) struct Rung {
    pub(super) label: String,
    /// Operations for each byte.
    pub(super) intensity: f64,
    pub(super) gflops: f64,
}

const LEFT: f64 = 44.0;
const RIGHT: f64 = 10.0;
const TOP: f64 = 22.0;
const HEIGHT: f64 = 190.0;

/// The figure.
pub(super) fn html(roofline: &Roofline, id: &str) -> String {
    let ridge = roofline.peak_gflops / roofline.memory_gbps;
    let least = |values: &dyn Fn(&Rung) -> f64| {
        roofline.points.iter().map(values).fold(f64::INFINITY, f64::min)
    };
    let most = roofline.points.iter().map(|p| p.intensity).fold(0.0, f64::max);
    let decade = |value: f64| value.log10();
    let left = decade(least(&|p| p.intensity).min(ridge / 10.0)).floor();
    let right = decade(most.max(ridge * 4.0)).ceil();
    let low = decade(least(&|p| p.gflops).min(roofline.memory_gbps * 10f64.powf(left))).floor();
    let high = decade(roofline.peak_gflops * 1.2).ceil();
    let x = |v: f64| LEFT + (v.log10() - left) / (right - left) * (WIDTH - LEFT - RIGHT);
    let y = |v: f64| TOP + (high - v.log10()) / (high - low) * HEIGHT;

    let mut drawing = Drawing::default();
    drawing.text("cuda-tick", (4.0, 11.0), Anchor::Start, "GFLOP/s");
    for power in left as i32..=right as i32 {
        let at = x(10f64.powi(power));
        drawing.line("cuda-grid", (at, TOP), (at, TOP + HEIGHT));
        let text = decimal(power);
        drawing.text("cuda-tick", (at, TOP + HEIGHT + 13.0), Anchor::Middle, &text);
    }
    for power in low as i32..=high as i32 {
        let at = y(10f64.powi(power));
        drawing.line("cuda-grid", (LEFT, at), (WIDTH - RIGHT, at));
        drawing.text("cuda-tick", (LEFT - 4.0, at + 4.0), Anchor::End, &decimal(power));
    }
    drawing.text(
        "cuda-tick",
        ((LEFT + WIDTH - RIGHT) / 2.0, TOP + HEIGHT + 28.0),
        Anchor::Middle,
        "operations for each byte",
    );
    let start = 10f64.powf(left).max(10f64.powf(low) / roofline.memory_gbps);
    let peak = roofline.peak_gflops;
    drawing.line("cuda-roof", (x(start), y(start * roofline.memory_gbps)), (x(ridge), y(peak)));
    drawing.line("cuda-roof", (x(ridge), y(peak)), (WIDTH - RIGHT, y(peak)));
    for (i, point) in roofline.points.iter().enumerate() {
        let at = (x(point.intensity), y(point.gflops));
        drawing.rect("cuda-fill-registers", at.0 - 3.0, at.1 - 3.0, 6.0, 6.0);
        drawing.text("cuda-label", (at.0 + 6.0, at.1 + 4.0), Anchor::Start, &(i + 1).to_string());
    }
    let mut list = String::new();
    let mut said = Vec::new();
    for point in &roofline.points {
        let roof = (point.intensity * roofline.memory_gbps).min(peak);
        let text = format!(
            "{}: {} operations a byte, {} GFLOP/s, {} of its roof",
            point.label,
            number::significant(point.intensity),
            number::significant(point.gflops),
            number::percent(point.gflops / roof)
        );
        let _ = writeln!(list, "<li>{}</li>", crate::html::escape(&text));
        said.push(text);
    }
    let sentence = format!(
        "{}: the memory's roof is {} GB/s, {}; the arithmetic's is {} GFLOP/s in single \
         precision, by the clock. They meet at {} operations a byte.",
        roofline.machine,
        number::significant(roofline.memory_gbps),
        if roofline.memory_measured { "measured" } else { "by the clock" },
        number::significant(peak),
        number::significant(ridge),
    );
    let description = format!("{sentence} {}.", said.join("; "));
    let svg = drawing.finish(TOP + HEIGHT + 34.0, id, "Roofline", &description);
    format!(
        "<figure class=\"cuda-figure\">\n{svg}<figcaption><ol class=\"cuda-points\">\n{list}</ol>\
         <p>{sentence}</p></figcaption>\n</figure>"
    )
}

/// A power of ten as one reads it.
fn decimal(power: i32) -> String {
    match power {
        0..=3 => number::count(10u64.pow(power.unsigned_abs())),
        4..=5 => format!("{} k", 10i64.pow(power as u32 - 3)),
        6.. => format!("{} M", 10f64.powi(power - 6)),
        _ => format!("{:.*}", power.unsigned_abs() as usize, 10f64.powi(power)),
    }
}
