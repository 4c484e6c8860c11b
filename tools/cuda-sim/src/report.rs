//! Verdicts as a terminal shows them.

use crate::finding::shown_code;
use crate::progress::say;
use kernel_file::exception::Differs;
use kernel_file::verdict::{Counter, Resources, Suppressed};
use kernel_file::{BackendName, Problem, Status, Verdict};
use std::collections::BTreeSet;

/// One back end's word on one file, and under it whatever is wrong.
pub fn verdict(verdict: &Verdict) {
    line(verdict.backend.word(), verdict.status, &detail(verdict));
    problems(verdict.warnings.iter());
    problems(verdict.notes.iter());
    suppressed(verdict);
    printed(verdict);
    if verdict.status == Status::Failed {
        problems(verdict.all_problems());
    }
}

/// What the kernels printed at the first size at which they did.
pub fn printed(verdict: &Verdict) {
    if let Some(run) = verdict.runs.iter().find(|run| !run.printed.is_empty()) {
        say!("  printed at n = {}:\n{}", grouped_size(run.n), indented(&run.printed));
    }
}

/// A line for each finding that the source expects.
pub fn suppressed(verdict: &Verdict) {
    for Suppressed { problem, reason, .. } in &verdict.suppressed {
        let code = shown_code(&problem.rendered).unwrap_or(&problem.code);
        say!("    {code} at {}:{}: suppressed ({reason})", problem.file, problem.line);
    }
}

fn grouped_size(n: u64) -> String {
    grouped(i64::try_from(n).unwrap_or(i64::MAX))
}

/// What was asked, how it ended, and what else there is to know.
pub fn line(what: &str, status: Status, detail: &str) {
    let status = match status {
        Status::Passed => "passed",
        Status::Failed => "FAILED",
        Status::Skipped => "skipped",
    };
    say!("{}", format!("  {what:<10} {status:<8} {detail}").trim_end());
}

/// The first problem of each kind at each place, in the order found: the sizes differ in the threads
/// that are named.
pub fn problems<'a>(problems: impl Iterator<Item = &'a Problem>) {
    let mut seen = BTreeSet::new();
    for problem in problems {
        if seen.insert(place(problem)) {
            say!("\n{}", indented(problem.rendered.trim_end()));
        }
    }
    if !seen.is_empty() {
        say!("");
    }
}

/// What makes two problems the same.
pub fn place(problem: &Problem) -> (String, u32, u32, String) {
    (problem.file.clone(), problem.line, problem.column, problem.code.clone())
}

pub(crate) fn indented(text: &str) -> String {
    let lines = text.lines().map(|line| format!("    {line}"));
    lines.map(|line| line.trim_end().to_string()).collect::<Vec<_>>().join("\n")
}

/// What was done to reach the verdict, in a few words.
pub fn detail(verdict: &Verdict) -> String {
    if verdict.status == Status::Skipped {
        return verdict.reason.clone();
    }
    if verdict.status == Status::Passed
        && let Some(problem) = verdict.all_problems().next()
    {
        // A defective file passes when its defect is found.
        return format!("caught: {} at line {}", problem.code, problem.line);
    }
    match verdict.backend {
        BackendName::Nvrtc => {
            let archs: BTreeSet<&str> = verdict.resources.iter().map(|r| r.arch.as_str()).collect();
            archs.into_iter().collect::<Vec<_>>().join(" ")
        }
        BackendName::Sim | BackendName::Gpu => match verdict.runs.as_slice() {
            [] => String::new(),
            [run] if run.point.is_empty() => format!("n = {}", run.n),
            [run] => format!("n = {}, {}", run.n, run.point),
            runs => {
                let sizes: BTreeSet<u64> = runs.iter().map(|r| r.n).collect();
                let points: BTreeSet<_> = runs.iter().map(|r| &r.point).collect();
                match points.len() {
                    1 => format!("{} sizes", sizes.len()),
                    points => format!("{} sizes, {points} points", sizes.len()),
                }
            }
        },
    }
}

/// The metrics of memory traffic, which the source alone determines.
const MEMORY: &str = "l1tex__";

/// What stands beside a counter, as on a page: the profiler's name where the profiler counts the same.
/// Instructions and branches are those of the source as it is written, and a device runs what the
/// compiler made of it.
pub(crate) fn beside(metric: &str) -> &str {
    if metric.is_empty() || metric.starts_with(MEMORY) { metric } else { IN_SOURCE }
}

/// What stands beside a counter whose value is another on a device.
const IN_SOURCE: &str = "in the source";

/// Counters in aligned columns, with the profiler's names. A kernel file may say of which it knows that
/// the profiler's count `differs`. Those that stayed at zero, and what is derived from nothing, are only
/// counted: they would hide the others.
pub fn counters(counters: &[Counter], differs: &[Differs]) {
    let (counters, idle): (Vec<&Counter>, Vec<&Counter>) =
        counters.iter().partition(|counter| counter.value.is_some_and(|value| value != 0.0));
    let values: Vec<String> = counters.iter().map(|counter| value(counter)).collect();
    let name_width = counters.iter().map(|c| c.name.chars().count()).max().unwrap_or(0);
    let value_width = values.iter().map(|v| v.chars().count()).max().unwrap_or(0);
    let unit_width = counters.iter().map(|c| c.unit.chars().count()).max().unwrap_or(0);
    for (counter, value) in counters.iter().zip(&values) {
        let Counter { name, unit, metric, .. } = counter;
        let metric = if differ(counter, differs) { IN_SOURCE } else { beside(metric) };
        let line =
            format!("  {name:<name_width$}  {value:>value_width$} {unit:<unit_width$}  {metric}");
        say!("{}", line.trim_end());
    }
    if !idle.is_empty() {
        say!("  ({} other counters stayed at zero)", idle.len());
    }
}

/// Whether the profiler's count differs. A ratio has what is said of the counter that it divides.
fn differ(counter: &Counter, differs: &[Differs]) -> bool {
    let word = match counter.word().as_str() {
        "sectors_per_load" => "global_load_sectors".to_owned(),
        "sectors_per_store" => "global_store_sectors".to_owned(),
        _ => counter.word(),
    };
    differs.iter().any(|differs| differs.counters.contains(&word))
}

fn value(counter: &Counter) -> String {
    number(counter.value)
}

/// A counter's value.
pub(crate) fn number(value: Option<f64>) -> String {
    match value {
        None => "-".to_string(),
        Some(value) if value.fract() == 0.0 && value.abs() < 1e15 => grouped(value as i64),
        Some(value) => format!("{value:.3}"),
    }
}

/// `16,777,216`
pub fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0 { format!("-{text}") } else { text }
}

/// What the compiler says, an architecture and kernel a line.
pub fn resources(resources: &[Resources]) {
    say!("  arch     registers  shared  stack  spill stores  spill loads  kernel");
    for r in resources {
        let Resources { arch, kernel, registers, shared, stack, spill_stores, spill_loads } = r;
        say!(
            "  {arch:<8} {registers:>9}  {shared:>6}  {stack:>5}  {spill_stores:>12}  {spill_loads:>11}  {kernel}"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let texts = [0, 999, 1000, 16_777_216, -1234].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "16,777,216", "-1,234"]);
    }
}
