//! Counters by source line: what each line of a kernel cost.

use crate::report::grouped;
use crate::say;
use kernel_file::verdict::Counter;
use serde::{Deserialize, Serialize};
use simt::{Counters, LineCounters, Sources};
use std::collections::BTreeMap;

/// The counters of a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The file.
    pub file: String,
    /// Line from 1.
    pub line: u32,
    /// The line's text without the blanks around it.
    pub source: String,
    /// The counters that are not zero, with the names of [`Counter::word`].
    pub counters: BTreeMap<String, f64>,
}

/// The columns of the table: the name of a counter ([`Counter::word`]), and its heading.
const COLUMNS: [(&str, &str); 6] = [
    ("instructions", "instructions"),
    ("divergent_branches", "divergent"),
    ("global_load_sectors", "load sectors"),
    ("global_store_sectors", "store sectors"),
    ("shared_load_conflicts", "load conflicts"),
    ("shared_store_conflicts", "store conflicts"),
];

/// The lines of some launches together, in the order of the files.
pub(crate) fn of<'a>(
    reports: impl Iterator<Item = &'a LineCounters>,
    sources: &Sources,
) -> Vec<Line> {
    let mut all: BTreeMap<(u32, u32), Counters> = BTreeMap::new();
    for LineCounters { file, line, counters } in reports {
        *all.entry((*file, *line)).or_default() += counters;
    }
    let mut texts: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    let lines = all.into_iter().map(|((file, line), counters)| {
        let text = || sources.files().get(file as usize).map_or("", |(_, text)| text.as_str());
        let texts = texts.entry(file).or_insert_with(|| text().lines().collect());
        let source = texts.get((line as usize).wrapping_sub(1)).copied().unwrap_or_default();
        let counters = Counter::all(&counters).into_iter();
        let counters =
            counters.filter_map(|c| Some((c.word(), c.value.filter(|value| *value != 0.0)?)));
        Line {
            file: sources.name(file).to_owned(),
            line,
            source: source.trim().to_owned(),
            counters: counters.collect(),
        }
    });
    lines.collect()
}

/// Prints them as a table. Columns in which nothing stands are left out.
pub(crate) fn print(lines: &[Line]) {
    let value = |line: &Line, name: &str| line.counters.get(name).copied().unwrap_or(0.0) as i64;
    let is_used = |(name, _): &&(&str, &str)| lines.iter().any(|line| value(line, name) != 0);
    let columns: Vec<&(&str, &str)> = COLUMNS.iter().filter(is_used).collect();
    let heading: Vec<&str> = columns.iter().map(|(_, heading)| *heading).collect();
    let mut file = "";
    for line in lines {
        if line.file != file {
            file = &line.file;
            say!("  {}  {file}", heading.join("  "));
        }
        let cells = columns.iter().map(|(name, heading)| {
            let (value, width) = (value(line, name), heading.len());
            let text = if value == 0 { String::new() } else { grouped(value) };
            format!("{text:>width$}")
        });
        let cells: Vec<String> = cells.collect();
        say!("  {}  {:>4}  {}", cells.join("  "), line.line, line.source);
    }
}
