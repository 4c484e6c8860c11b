//! `{{#roofline FILE FILE…}}`: the speed of kernels, against what their arithmetic intensity allows.
//!
//! Both axes are logarithmic. To the left bandwidth is the roof, which rises with the operations per
//! byte; to the right arithmetic is. The bandwidth roof is the fastest that the recording measured;
//! the arithmetic roof is computed from the device's clock, and labelled so. A kernel's bytes and
//! operations are the minimum, as its file declares them.

use super::part::badge::Badge;
use super::part::diagram::{self, Diagram, Drawn};
use super::part::html::escape;
use super::part::svg::{Anchor, Drawing, WIDTH};
use super::part::{number, quantity};
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{Needs, Roofline as Roofs, RooflinePoint};
use std::fmt::Write;

#[derive(Debug)]
struct Roofline {
    paths: Vec<String>,
}

/// Reads `{{#roofline FILE FILE…}}`.
pub(super) fn parse(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    diagram::parse(arguments, |options| match options.plain.as_slice() {
        [] => Err(options.wrong()),
        paths => Ok(Box::new(Roofline { paths: paths.to_vec() })),
    })
}

impl Diagram for Roofline {
    fn needs(&self) -> Needs {
        Needs { rooflines: vec![self.paths.clone()], ..Needs::kernels() }
    }

    fn name(&self) -> String {
        format!("roofline-{}", self.paths.join("-"))
    }

    fn draw(&self, page: &Context<'_>, id: &str) -> Result<Drawn, String> {
        let found = page.facts.rooflines.iter().find(|(paths, _)| *paths == self.paths);
        let roofs = found.map_or(Ok(None), |(_, roofs)| roofs.as_ref().map(Option::as_ref));
        Ok(Drawn::figure(match roofs.map_err(Clone::clone)? {
            Some(roofs) => draw(roofs, id),
            None => format!(
                "<figure class=\"cuda-figure\"><p class=\"cuda-provenance\">The roofline of \
                 these kernels on a GPU: {}</p></figure>",
                Badge::NotMeasured.html("")
            ),
        }))
    }
}

const LEFT: f64 = 44.0;
const RIGHT: f64 = 10.0;
const TOP: f64 = 22.0;
const HEIGHT: f64 = 190.0;

/// The figure.
fn draw(roofline: &Roofs, id: &str) -> String {
    let ridge = roofline.peak_gflops / roofline.memory_gbps;
    let least = |values: &dyn Fn(&RooflinePoint) -> f64| {
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
    drawing.text("cuda-tick", (4.0, 11.0), Anchor::Start, "GFLOP/s (logarithmic)");
    for power in left as i32..=right as i32 {
        let at = x(10f64.powi(power));
        drawing.line("cuda-grid", (at, TOP), (at, TOP + HEIGHT));
        let text = decimal(power);
        // The last one would be cut off at the edge.
        let anchor = if power == right as i32 { Anchor::End } else { Anchor::Middle };
        let at = if power == right as i32 { WIDTH - 1.0 } else { at };
        drawing.text("cuda-tick", (at, TOP + HEIGHT + 13.0), anchor, &text);
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
        "operations for each byte (logarithmic)",
    );
    let start = 10f64.powf(left).max(10f64.powf(low) / roofline.memory_gbps);
    let peak = roofline.peak_gflops;
    drawing.line("cuda-roof", (x(start), y(start * roofline.memory_gbps)), (x(ridge), y(peak)));
    drawing.line("cuda-roof", (x(ridge), y(peak)), (WIDTH - RIGHT, y(peak)));
    let mut labels: Vec<(f64, f64)> = Vec::new();
    for (i, point) in roofline.points.iter().enumerate() {
        let at = (x(point.intensity), y(point.gflops));
        drawing.rect("cuda-fill-registers", at.0 - 3.0, at.1 - 3.0, 6.0, 6.0);
        let (place, anchor) = place(at, &labels);
        labels.push(place);
        drawing.text("cuda-label", place, anchor, &number_of(point, i));
    }
    let mut list = String::new();
    let mut said = Vec::new();
    for point in &roofline.points {
        let roof = (point.intensity * roofline.memory_gbps).min(peak);
        let text = format!(
            "{} at n = {}: {} operations per byte, {}, {} of its roof",
            point.label,
            number::count(point.n),
            number::significant(point.intensity),
            quantity::text("gflops", point.gflops),
            number::percent(point.gflops / roof)
        );
        let _ = writeln!(list, "<li>{}</li>", escape(&text));
        said.push(text);
    }
    let sentence = format!(
        "{}: the memory's roof is {} GB/s, {}; the arithmetic's is {} in single \
         precision, computed from the clock. They meet at {} operations per byte.",
        roofline.machine,
        number::significant(roofline.memory_gbps),
        if roofline.memory_measured { "measured" } else { "computed from its clock" },
        quantity::text("gflops", peak),
        number::significant(ridge),
    );
    let description = format!("{sentence} {}.", said.join("; "));
    let svg = drawing.finish(TOP + HEIGHT + 34.0, id, "Roofline", &description);
    format!(
        "<figure class=\"cuda-figure\">\n{svg}<figcaption><ul class=\"cuda-points\">\n{list}</ul>\
         <p>{sentence}</p></figcaption>\n</figure>"
    )
}

/// The number in a point's file name (`5 column`), or its place in the list.
fn number_of(point: &RooflinePoint, i: usize) -> String {
    let word = point.label.split(' ').next().unwrap_or_default();
    match word.parse::<u32>() {
        Ok(number) => number.to_string(),
        Err(_) => (i + 1).to_string(),
    }
}

/// Where a point's label stands: beside it, as near as the labels that are there already allow.
fn place(at: (f64, f64), taken: &[(f64, f64)]) -> ((f64, f64), Anchor) {
    let is_free =
        |x: f64, y: f64| taken.iter().all(|t| (t.0 - x).abs() > 12.0 || (t.1 - y).abs() > 9.0);
    for step in 0..8 {
        let down = f64::from(step) * 5.0;
        for y in [at.1 + 4.0 + down, at.1 + 4.0 - down] {
            for (x, anchor) in [(at.0 + 6.5, Anchor::Start), (at.0 - 6.5, Anchor::End)] {
                if is_free(x, y) {
                    return ((x, y), anchor);
                }
            }
        }
    }
    ((at.0 + 6.5, at.1 + 4.0), Anchor::Start)
}

/// A power of ten as the axes show it.
fn decimal(power: i32) -> String {
    match power {
        0..=3 => number::count(10u64.pow(power.unsigned_abs())),
        4..=5 => format!("{} k", 10i64.pow(power as u32 - 3)),
        6.. => format!("{} M", 10f64.powi(power - 6)),
        _ => format!("{:.*}", power.unsigned_abs() as usize, 10f64.powi(power)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The labels of a product's rungs, which stand one above the other.
    #[test]
    fn points_have_the_numbers_of_their_files_and_no_label_covers_another() {
        let rates =
            [978.0, 6070.0, 7980.0, 7600.0, 17_500.0, 14_300.0, 29_400.0, 33_200.0, 39_000.0];
        let points = rates.iter().enumerate().map(|(i, &gflops)| RooflinePoint {
            label: format!("{} rung", i + 1),
            n: 4096,
            intensity: 683.0,
            gflops,
        });
        let roofline = Roofs {
            machine: "H200".to_string(),
            memory_gbps: 4450.0,
            memory_measured: true,
            peak_gflops: 66_900.0,
            points: points.skip(1).collect(),
        };
        let svg = draw(&roofline, "r");
        let labels: Vec<(f64, f64, &str)> = svg
            .lines()
            .filter_map(|line| line.strip_prefix("<text class=\"cuda-label\" x=\""))
            .map(|rest| {
                let parts: Vec<&str> = rest.split(['"', '<', '>']).collect();
                let number = |i: usize| parts[i].parse().expect("a number");
                (number(0), number(2), parts[parts.len() - 3])
            })
            .collect();
        let names: Vec<&str> = labels.iter().map(|label| label.2).collect();
        assert_eq!(names, ["2", "3", "4", "5", "6", "7", "8", "9"], "{svg}");
        let points = svg.lines().filter(|line| line.contains("cuda-fill-registers"));
        let tops = points.map(|line| line.split('"').nth(5).and_then(|y| y.parse::<f64>().ok()));
        for (label, top) in labels.iter().zip(tops) {
            // The middle of the letters is beside the middle of the point, or nearly.
            let apart = label.1 - 4.0 - (top.expect("a number") + 3.0);
            assert!(apart.abs() <= 5.1, "{apart} {labels:?}");
        }
        for (i, a) in labels.iter().enumerate() {
            let covers =
                |b: &(f64, f64, &str)| (a.0 - b.0).abs() <= 12.0 && (a.1 - b.1).abs() <= 9.0;
            assert!(!labels[..i].iter().any(covers), "{labels:?}");
        }
    }
}
