//! Exercises and checks as a terminal shows them.

use crate::progress::say;
use crate::report;
use kernel_file::Exercise;
use kernel_file::exercise::{Checked, GateRow};
use std::path::Path;

/// A line of the list.
pub(super) fn listed(exercise: &Exercise, number: &str, solved: bool) {
    let mark = if solved { "solved" } else { "" };
    let (kind, minutes) = (exercise.kind.name(), exercise.minutes);
    say!(
        "{}",
        format!("{number:<5} {kind:<8} {minutes:>3} min  {mark:<7} {}", exercise.title).trim_end()
    );
}

/// What the reader gets.
pub(super) fn handed_out(exercise: &Exercise, number: &str, command: &str, own: &Path) {
    let (kind, minutes) = (exercise.kind.name(), exercise.minutes);
    say!("{number} {} ({kind}, {minutes} minutes)\n\n{}\n", exercise.title, exercise.statement);
    for gate in &exercise.gates {
        say!("Goal: {}: {} {}", gate.name(), gate.relation.words(), gate.bound.text());
    }
    say!("Your file: {}", own.display());
    say!("Edit it, then check it: {command}");
    say!("A hint: {command} --hint");
}

/// The solution, and why it works.
pub(super) fn solution(exercise: &Exercise) {
    for region in exercise.solution_regions() {
        say!("{region}\n");
    }
    say!("Why it works:\n\n{}", exercise.why);
}

/// The answer to an attempt, which `command` checks.
pub(super) fn checked(checked: &Checked, command: &str) {
    let Some(failure) = &checked.failure else {
        let sizes: Vec<String> = checked.sizes.iter().map(u64::to_string).collect();
        say!(
            "  right at n = {}, with inputs of seed {}, and in other orders",
            sizes.join(", "),
            checked.seed
        );
        report::problems(checked.warnings.iter());
        gates(&checked.gates);
        return;
    };
    // A finding has a name and a line. A wrong number, or a goal that is missed, has neither: the
    // message says it all.
    match failure.problems.first().filter(|_| failure.code != "result") {
        Some(found) => {
            say!("  not yet ({}): {}", failure.code, failure.message);
            report::problems(std::iter::once(found));
        }
        None => say!("  not yet: {}", failure.message),
    }
    gates(&checked.gates);
    say!("  next: {}", failure.next);
    if failure.n.is_some() {
        let seed = checked.seed;
        say!("  the same inputs again: {command} --seed {seed}");
    }
}

/// The gates: starter, goal and the reader's own.
fn gates(rows: &[GateRow]) {
    if rows.is_empty() {
        return;
    }
    let goal = |row: &GateRow| format!("{} {}", row.relation.symbol(), report::grouped(row.target));
    let naive = |row: &GateRow| row.naive.map_or_else(|| "-".to_owned(), report::grouped);
    let wide = |text: &dyn Fn(&GateRow) -> String, least: usize| {
        rows.iter().map(|row| text(row).chars().count()).max().unwrap_or(0).max(least)
    };
    let names = wide(&|row| row.name.clone(), 7);
    let (a, b, c) = (wide(&naive, 7), wide(&goal, 4), wide(&|row| report::grouped(row.yours), 5));
    say!("\n  {:<names$}  {:>a$}  {:>b$}  {:>c$}", "counter", "starter", "goal", "yours");
    for row in rows {
        let yours = report::grouped(row.yours);
        let mark = if row.holds { "" } else { "not yet" };
        let line = format!(
            "  {:<names$}  {:>a$}  {:>b$}  {yours:>c$}  {mark:<7}  {}",
            row.name,
            naive(row),
            goal(row),
            row.metric
        );
        say!("{}", line.trim_end());
    }
    say!("");
}
