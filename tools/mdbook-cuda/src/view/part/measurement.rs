//! Recorded measurements: a kernel's table, its columns, and where its numbers come from.
//!
//! Every number names where it was taken. A recording of an older source is shown with a badge that
//! says so.

use super::badge::{self, Badge};
use super::html::escape;
use super::{number, quantity};
use crate::facts::{Facts, Kernel, Measured, Recording};
use verify::results::{BaselineKind, Machine, Measurement, Spread};

/// The quantities that a measurement has.
pub(crate) const QUANTITIES: [&str; 5] = ["gbps", "time_us", "gflops", "ratio", "share"];

/// The measurements of a kernel, or the badge that says there is none.
pub(crate) fn html(kernel: &Kernel, facts: &Facts) -> String {
    let mut out = String::new();
    for measured in facts.measured(kernel) {
        out.push_str(&table(&measured));
    }
    if out.is_empty() && !kernel.is_timed() {
        return "<p class=\"cuda-caption\">It is not timed by itself.</p>\n".to_string();
    }
    if out.is_empty() {
        out = format!(
            "<p class=\"cuda-caption\">On a GPU: {} <code>cargo run --release -- record</code> \
             measures it on a machine that has one.</p>\n",
            Badge::NotMeasured.html("")
        );
    }
    out
}

fn table(measured: &Measured<'_>) -> String {
    let recording = measured.recording;
    let columns = Columns::of(measured.result.sizes.values());
    let stale = badge::stale_note(measured.stale);
    let mut out = format!(
        "<div class=\"cuda-measured{}\">\n<div class=\"cuda-scroll\"><table class=\"cuda-table\">\
         <caption>Measured on an {}{stale}</caption>\
         <thead><tr><th scope=\"col\"><i>n</i></th><th scope=\"col\" class=\"cuda-num\">time</th>\
         {}</tr></thead><tbody>\n",
        if measured.stale { " cuda-is-stale" } else { "" },
        escape(recording.gpu()),
        columns.heads(recording),
    );
    for (n, m) in &measured.result.sizes {
        let cells = columns.cells(m);
        out.push_str(&format!("<tr><th scope=\"row\">{}</th>{cells}</tr>\n", number::size(*n)));
    }
    out.push_str("</tbody></table></div>\n");
    out.push_str(&provenance(recording, columns));
    out.push_str("</div>\n");
    out
}

/// The rate by which a kernel's speed is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rate {
    /// Bytes that must move, per second.
    Memory,
    /// Operations that must be done, per second, in thousands of millions.
    Giga,
    /// The same in millions of millions.
    Tera,
}

/// A kernel that moves fewer bytes is measured for its launch: a rate says nothing about it.
const LEAST_BYTES: u64 = 1024;

fn moves(m: &Measurement) -> bool {
    m.bytes >= LEAST_BYTES
}

/// Fewer bytes than this are read in a few microseconds, of which the launch is a large part. Then the
/// ceiling is that of the launch, and not the memory's.
const LEAST_SHARED: u64 = 16 << 20;

/// The share of the ceiling, where it says something.
pub(crate) fn share(m: &Measurement) -> Option<Spread> {
    m.share_of_ceiling.filter(|_| m.bytes >= LEAST_SHARED)
}

/// From this many operations per byte on, a kernel is judged by its arithmetic.
const ARITHMETIC: f64 = 4.0;

impl Rate {
    /// The rate for kernels that do the same work, by their operations per byte.
    pub(crate) fn of<'a>(measured: impl Iterator<Item = &'a Measurement>) -> Rate {
        let (mut dense, mut most) = (false, 0.0_f64);
        for m in measured {
            let gflops = m.gflops.unwrap_or(0.0);
            let flops = gflops * m.time_us.median * 1e3;
            dense |= flops > 0.0 && flops >= ARITHMETIC * m.bytes as f64;
            most = most.max(gflops);
        }
        match (dense, most >= quantity::TERA) {
            (false, _) => Rate::Memory,
            (true, false) => Rate::Giga,
            (true, true) => Rate::Tera,
        }
    }

    /// Its unit.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Rate::Memory => "GB/s",
            Rate::Giga => "GFLOP/s",
            Rate::Tera => "TFLOP/s",
        }
    }

    /// The rate at the median time; `None` where the file does not declare the work.
    pub(crate) fn value(self, m: &Measurement) -> Option<f64> {
        match self {
            Rate::Memory => moves(m).then_some(m.gbps),
            Rate::Giga => m.gflops,
            Rate::Tera => Some(m.gflops? / quantity::TERA),
        }
    }
}

/// The columns after the time, in a kernel's table and in the ladder's. A column without any value
/// is left out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Columns {
    /// The rate.
    pub(crate) rate: Rate,
    share: bool,
    library: bool,
}

impl Columns {
    /// For these measurements.
    pub(crate) fn of<'a>(measured: impl Iterator<Item = &'a Measurement> + Clone) -> Columns {
        Columns {
            rate: Rate::of(measured.clone()),
            share: measured.clone().any(|m| share(m).is_some()),
            library: measured.clone().any(|m| m.ratio_to_library.is_some()),
        }
    }

    /// How many there are, with the time.
    pub(crate) fn count(self) -> usize {
        2 + usize::from(self.share) + usize::from(self.library)
    }

    /// Their heads, without the time's.
    pub(crate) fn heads(self, recording: &Recording) -> String {
        let against = format!("against {}", escape(library(recording)));
        let all = [(true, self.rate.label()), (self.share, "of ceiling"), (self.library, &against)];
        let shown = all.into_iter().filter(|(shown, _)| *shown);
        shown.map(|(_, head)| format!("<th scope=\"col\" class=\"cuda-num\">{head}</th>")).collect()
    }

    /// Why a share or a ratio may differ from the quotient of two times in the same table: it is made
    /// of runs side by side.
    fn of_pairs(self, recording: &Recording) -> String {
        let against = format!("<i>against {}</i>", escape(library(recording)));
        let heads = match (self.share, self.library) {
            (false, false) => return String::new(),
            (true, false) => "<i>of ceiling</i>".to_owned(),
            (false, true) => against,
            (true, true) => format!("<i>of ceiling</i> and {against}"),
        };
        format!(
            " {heads}: the median of the quotients, run by run, not the quotient of the medians."
        )
    }

    /// Whether a kernel of the table has a ratio to the library.
    pub(crate) fn has_library(self) -> bool {
        self.library
    }

    /// Their cells, the time's first.
    pub(crate) fn cells(self, m: &Measurement) -> String {
        let dash = || "–".to_string();
        let mut out = format!(
            "<td class=\"cuda-num\">{} <small>{}</small></td><td class=\"cuda-num\"><b>{}</b></td>",
            number::time(m.time_us.median),
            spread(&m.time_us),
            self.rate.value(m).map_or_else(dash, number::significant),
        );
        let share = share(m).map_or_else(dash, |share| number::percent(share.median));
        let ratio = m.ratio_to_library.map_or_else(dash, |ratio| self::ratio(&ratio, &m.noise));
        for (shown, cell) in [(self.share, share), (self.library, ratio)] {
            if shown {
                out.push_str(&format!("<td class=\"cuda-num\">{cell}</td>"));
            }
        }
        out
    }
}

/// Half the distance between the tenth and the ninetieth percentile, as a share of the median.
pub(crate) fn spread(time: &Spread) -> String {
    let half = (time.p90 - time.p10) / 2.0 / time.median * 100.0;
    if half.is_finite() { format!("±{half:.1} %") } else { String::new() }
}

/// How many times as fast as the library; `≈` where the difference is within the noise.
pub(crate) fn ratio(ratio: &Spread, noise: &Spread) -> String {
    let same = within_noise(ratio.median, noise);
    format!("{}{} ×", if same { "≈ " } else { "" }, number::significant(ratio.median))
}

/// Whether a kernel measured against itself differs from 1 by as much as this ratio.
pub(crate) fn within_noise(ratio: f64, noise: &Spread) -> bool {
    let reach = (noise.p90 - 1.0).abs().max((noise.p10 - 1.0).abs());
    (ratio - 1.0).abs() <= reach
}

/// The library's short name: the first word of its title, `CUB`.
pub(crate) fn library(recording: &Recording) -> &str {
    recording
        .results
        .baselines
        .values()
        .find(|baseline| baseline.kind == BaselineKind::Library)
        .and_then(|baseline| baseline.title.split(' ').next())
        .unwrap_or("the library")
}

/// Where, with what and when a recording was made, below a kernel's or a ladder's table.
pub(crate) fn provenance(recording: &Recording, columns: Columns) -> String {
    let m = &recording.results.machine;
    let (commit, changed) = commit(m);
    let short: String = commit.chars().take(12).collect();
    format!(
        "<p class=\"cuda-provenance\">{}, driver {}, {}, {} <code>{}</code>, recorded {} at {}{changed} in \
         <code>{}</code>. Median, and half the span from the 10th to the 90th percentile; \
         ≈ marks a difference no larger than that between two measurements of one kernel.{}</p>\n",
        escape(&m.gpu),
        escape(&m.driver),
        escape(&m.compiler),
        if m.flags.len() == 1 { "flag" } else { "flags" },
        escape(&m.flags.join(" ")),
        escape(&m.date),
        escape(&short),
        escape(recording.file.rsplit('/').next().unwrap_or(&recording.file)),
        columns.of_pairs(recording),
    )
}

/// The commit of a recording, and in words what else was in its files.
pub(crate) fn commit(machine: &Machine) -> (&str, &'static str) {
    match machine.commit.strip_suffix("-dirty") {
        Some(commit) => (commit, " with changes that were not committed"),
        None => (&machine.commit, ""),
    }
}

/// A quantity of a measurement, with its spread where that was recorded; `None` where this
/// measurement does not have it.
pub(crate) fn quantity(m: &Measurement, quantity: &str) -> Option<(f64, Option<Spread>)> {
    let median = |spread: Spread| (spread.median, Some(spread));
    match quantity {
        "time_us" => Some(median(m.time_us)),
        "gbps" => Some((m.gbps, None)),
        "gflops" => Some((m.gflops?, None)),
        "ratio" => m.ratio_to_library.map(median),
        "share" => m.share_of_ceiling.map(median),
        _ => None,
    }
}

/// The same in short, below a chart: `NVIDIA H200, recorded 2026-11-21. Median, and half the span …`
pub(crate) fn recorded(recording: &Recording) -> String {
    let when = when(recording);
    format!("{when} Median, and half the span from the 10th to the 90th percentile.")
}

/// The machine and the day.
pub(crate) fn when(recording: &Recording) -> String {
    let m = &recording.results.machine;
    format!("{}, recorded {}.", escape(&m.gpu), escape(&m.date))
}

#[cfg(test)]
mod tests {
    use super::{Columns, Rate, share};
    use verify::results::{Measurement, Spread};

    /// A measurement of 1000 us with this many bytes and operations.
    fn measured(bytes: u64, flops: u64) -> Measurement {
        let spread = |median| Spread { median, p10: median, p90: median, samples: 1 };
        Measurement {
            time_us: spread(1000.0),
            bytes,
            gbps: bytes as f64 / 1e6,
            ratio_to_library: None,
            share_of_ceiling: None,
            noise: spread(1.0),
            gflops: Some(flops as f64 / 1e6),
            outputs: Vec::new(),
        }
    }

    #[test]
    fn a_column_without_values_is_left_out() {
        let m = measured(120_000_000, 0);
        assert_eq!(Columns::of([&m].into_iter()).count(), 2);
        let share = Some(m.noise);
        let beside = Measurement { share_of_ceiling: share, ..m.clone() };
        let columns = Columns::of([&m, &beside].into_iter());
        assert_eq!(columns.count(), 3);
        assert!(columns.cells(&m).ends_with("<td class=\"cuda-num\">–</td>"));
    }

    #[test]
    fn of_few_bytes_no_share_of_the_ceiling_is_told() {
        let with = |bytes| {
            let m = measured(bytes, 0);
            Measurement { share_of_ceiling: Some(m.noise), ..m }
        };
        assert!(share(&with(1 << 20)).is_none(), "the ceiling is a launch's");
        assert!(share(&with(1 << 26)).is_some());
    }

    #[test]
    fn a_kernel_with_many_operations_per_byte_is_judged_by_its_arithmetic() {
        for (bytes, flops, rate, value) in [
            (12_000_000, 1_000_000, Rate::Memory, Some(12.0)),
            (12_000_000, 0, Rate::Memory, Some(12.0)),
            (0, 0, Rate::Memory, None),
            // Measured for its launch.
            (8, 0, Rate::Memory, None),
            (12_000_000, 200_000_000, Rate::Giga, Some(200.0)),
            (12_000_000, 2_000_000_000, Rate::Tera, Some(2.0)),
        ] {
            let m = measured(bytes, flops);
            assert_eq!(Rate::of([&m].into_iter()), rate, "{bytes} {flops}");
            assert_eq!(rate.value(&m), value, "{bytes} {flops}");
        }
    }
}
