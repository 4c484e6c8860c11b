//! The few figures by which a kernel is judged: the counters that its essay says to look at, and its
//! time, each beside the previous rung's.

use super::counter_table::{self, Table};
use super::html::escape;
use super::{badge, measurement, number};
use crate::facts::{Facts, Kernel};
use kernel_file::verdict::Counter;
use verify::results::Measurement;

/// The words that begin the sentence.
const LOOK_AT: &str = "Look at:";

/// The table; empty where the essay names no counter and nothing was measured.
pub(crate) fn html(kernel: &Kernel, facts: &Facts, before: Option<&Kernel>) -> String {
    let table = Table::of(kernel, facts, before);
    let counters = named(&kernel.file.essay, kernel.counters());
    let mut rows: String = counters.iter().map(|counter| table.row(counter)).collect();
    rows.push_str(&time(kernel, facts, table.previous()));
    if rows.is_empty() {
        return String::new();
    }
    let counted = match kernel.counted_size() {
        Some(n) if !counters.is_empty() => {
            // The counters are those of the first of the points.
            let values = kernel.points.first().map_or(&[][..], |point| point.values());
            let at: String = values
                .iter()
                .map(|(name, v)| format!(", <code>{}</code> = {v}", escape(name)))
                .collect();
            format!("counted at <i>n</i> = {}{at}", number::size(n))
        }
        _ => "measured".to_string(),
    };
    let head = format!("<th scope=\"col\">{counted}</th>{}", table.heads());
    format!("<div class=\"cuda-judged\">\n{}</div>\n", counter_table::table("", &head, &rows))
}

/// The counters that the sentence names, in its order.
fn named<'a>(essay: &str, counters: &'a [Counter]) -> Vec<&'a Counter> {
    let Some((_, rest)) = essay.split_once(LOOK_AT) else { return Vec::new() };
    let paragraph = rest.split("\n\n").next().unwrap_or_default();
    let text = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    // A file's or a variable's name in code is no counter's.
    let text: String = text.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    let mut found: Vec<(usize, &Counter)> = Vec::new();
    for counter in counters {
        let at = text.find(&counter.name).or_else(|| short(&text, counter));
        // `shared loads` is no part of another name.
        let part =
            |other: &&Counter| other.name != counter.name && other.name.contains(&counter.name);
        let inside = |at: usize| {
            counters.iter().filter(part).any(|other| {
                text.match_indices(&other.name)
                    .any(|(i, _)| (i..i + other.name.len()).contains(&at))
            })
        };
        found.extend(at.filter(|at| !inside(*at)).map(|at| (at, counter)));
    }
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, counter)| counter).collect()
}

/// Where `*sectors per load* and *per store*` names the second one.
fn short(text: &str, counter: &Counter) -> Option<usize> {
    let (_, end) = counter.name.split_once(" per ")?;
    text.find(&format!("*per {end}*"))
}

/// The row of the time at the largest size that was measured.
fn time(kernel: &Kernel, facts: &Facts, previous: Option<&Kernel>) -> String {
    if !kernel.points.is_empty() {
        return String::new();
    }
    let mut out = String::new();
    for measured in facts.measured(kernel) {
        let Some((n, m)) = measured.result.sizes.last_key_value() else { continue };
        let rate = measurement::Rate::of(measured.result.sizes.values());
        let mut said: Vec<String> = Vec::new();
        said.extend(rate.value(m).map(|v| format!("{} {}", number::significant(v), rate.label())));
        said.extend(
            measurement::share(m).map(|s| format!("{} of the ceiling", number::percent(s.median))),
        );
        out.push_str(&format!(
            "<tr><th scope=\"row\">{} on an {} at <i>n</i> = {}{} <small>{}</small></th>",
            timed(kernel.file.directives.launches.len()),
            escape(measured.recording.gpu()),
            number::size(*n),
            badge::stale_note(measured.stale),
            said.join(", ")
        ));
        if let Some(previous) = previous {
            // The same work only: as many operations at the same size, or as many bytes.
            let old = measured.recording.of(previous.stem());
            let old =
                old.and_then(|old| old.result.sizes.get(n)).filter(|old| is_same_work(old, m));
            let text = old.map_or("–".to_string(), |old| number::time(old.time_us.median));
            let change = old.map_or("–".to_string(), |old| {
                let (before, now) = (old.time_us.median, m.time_us.median);
                match measurement::within_noise(before / now, &m.noise) {
                    true => "≈".to_string(),
                    false => number::change(before, now),
                }
            });
            out.push_str(&format!(
                "<td class=\"cuda-num\">{text}</td><td class=\"cuda-num\"><b>{}</b></td>\
                 <td class=\"cuda-num\">{change}</td></tr>\n",
                number::time(m.time_us.median)
            ));
        } else {
            let time = number::time(m.time_us.median);
            out.push_str(&format!("<td class=\"cuda-num\"><b>{time}</b></td></tr>\n"));
        }
    }
    out
}

/// What was timed: all launches of a file together.
fn timed(launches: usize) -> String {
    match launches {
        0 | 1 => "time".to_string(),
        several => format!("time of {several} launches"),
    }
}

/// Whether as many bytes must move, or as many operations must be done.
fn is_same_work(a: &Measurement, b: &Measurement) -> bool {
    let operations = |m: &Measurement| Some(m.gflops? * m.time_us.median);
    let alike = |a: f64, b: f64| (a - b).abs() <= 1e-6 * b;
    a.bytes == b.bytes || operations(a).zip(operations(b)).is_some_and(|(a, b)| alike(a, b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::fixture;

    #[test]
    fn several_launches_are_timed_together() {
        assert_eq!([1, 3].map(timed), ["time", "time of 3 launches"]);
    }

    #[test]
    fn the_essay_names_the_counters() {
        let names = [
            "sectors per load",
            "sectors per store",
            "shared loads",
            "shared load conflicts",
            "shared load wavefronts",
            "barriers",
        ];
        let counters: Vec<(&str, f64)> = names.map(|name| (name, 1.0)).into();
        let kernel = fixture::kernel("1_a", &counters);
        for (essay, wanted) in [
            ("Barriers are barriers.", &[][..]),
            ("Look at: *shared load conflicts*; and the `barriers`.", &["shared load conflicts"]),
            ("Look at: *sectors\nper load* and *per store*.\n\nThe barriers.", &names[..2]),
            ("Look at: *barriers*, then *shared loads*.", &["barriers", "shared loads"]),
        ] {
            let found: Vec<&str> =
                named(essay, kernel.counters()).iter().map(|c| c.name.as_str()).collect();
            assert_eq!(found, wanted, "{essay}");
        }
    }
}
