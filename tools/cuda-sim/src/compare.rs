//! `compare A B`: the counters of two runs side by side, kernel by kernel, and the findings that came
//! and went. A and B are sources, which are run, or JSON reports of `run` and `check`.

use crate::complaint::{self, Complaint};
use crate::finding::{Finding, Standing};
use crate::report::number;
use crate::results::{KernelCounters, Kind, Results};
use crate::run::tidy_path;
use crate::{Outcome, say};
use anyhow::{Context, Result};
use clap::ValueEnum;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Compare the counters and findings of two runs
#[derive(Debug, clap::Args)]
#[command(override_usage = "cuda-sim compare [OPTIONS] <A> <B> [-- <ARGUMENTS>...]")]
pub struct Arguments {
    /// A source, or a JSON report of `run` or `check`
    #[arg(value_parser = tidy_path())]
    a: PathBuf,
    /// The same, after a change
    #[arg(value_parser = tidy_path())]
    b: Option<PathBuf>,
    /// Show equal counters, too
    #[arg(long)]
    all: bool,
    /// How the comparison is written
    #[arg(long, value_enum, default_value = "human")]
    format: Written,
    /// Give these arguments to the programs. If the first begins with `-`, they are options of `run`,
    /// and the programs' own arguments stand behind a second `--`
    #[arg(value_name = "ARGUMENTS", last = true)]
    options: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Written {
    /// As tables
    Human,
    /// As data
    Json,
}

/// What differs.
#[derive(Debug, Serialize)]
struct Comparison {
    a: String,
    b: String,
    kernels: Vec<Pair>,
    /// Findings of A that B does not have, and the other way round.
    gone: Vec<Place>,
    new: Vec<Place>,
}

/// A kernel of A and the one of B that corresponds to it.
#[derive(Debug, Serialize)]
struct Pair {
    a: Option<String>,
    b: Option<String>,
    launches: [u64; 2],
    counters: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    name: String,
    metric: String,
    unit: String,
    a: Option<f64>,
    b: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Place {
    code: String,
    file: String,
    line: u32,
    message: String,
}

/// Compares what the arguments name.
///
/// # Errors
/// If a file is missing or cannot be run, or a report cannot be read.
pub fn execute(arguments: &Arguments) -> Result<Outcome> {
    let Arguments { a, options, .. } = arguments;
    let Some(b) = &arguments.b else {
        let help = match options.first() {
            Some(word) => format!(
                "write it before `--`, behind which a program's own arguments stand: compare {} {word}",
                a.display()
            ),
            None => format!("compare {} CHANGED.cu", a.display()),
        };
        return Err(Complaint::error("the second source or report is missing", help));
    };
    if !options.is_empty() && is_report(a) && is_report(b) {
        let message =
            format!("`{}` is for sources, which are run, and these are reports", options[0]);
        return Err(Complaint::error(message, "make the reports again with it"));
    }
    let (before, after) = (results(a, options)?, results(b, options)?);
    let (Some(before), Some(after)) = (before, after) else { return Ok(Outcome::Broken) };
    let comparison = Comparison::of(a, b, [&before, &after]);
    match arguments.format {
        Written::Human => comparison.print(arguments.all),
        Written::Json => {
            say!("{}", serde_json::to_string_pretty(&comparison).context("writing JSON")?);
        }
    }
    Ok(Outcome::Kept)
}

fn is_report(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "json")
}

/// The options of `run`, and a program's own arguments.
fn split(words: &[String]) -> (&[String], &[String]) {
    match words.iter().position(|word| word == "--") {
        Some(at) => (&words[..at], &words[at + 1..]),
        None if words.first().is_some_and(|word| !word.starts_with('-')) => (&[], words),
        None => (words, &[]),
    }
}

/// What a report has, or the run of a source.
fn results(path: &Path, options: &[String]) -> Result<Option<Results>> {
    let name = path.display();
    if !path.exists() {
        return Err(complaint::missing(path, "name a source, or a JSON report"));
    }
    if path.is_dir() {
        let help = format!(
            "compare reports of folders: `cuda-sim check {name} --format json --report A.json`"
        );
        return Err(Complaint::error(format!("`{name}` is a folder"), help));
    }
    if is_report(path) {
        let help = "make it again: `run FILE.cu --report FILE.json`";
        return Results::read(path, "a report", help).map(Some);
    }
    let folder = tempfile::tempdir().context("making a folder for a report")?;
    let report = folder.path().join("report.json");
    let itself = std::env::current_exe().context("finding this command's own file")?;
    let (before, arguments) = split(options);
    let own = if arguments.is_empty() { None } else { Some("--") };
    let child = Command::new(itself)
        .arg("run")
        .arg(path)
        .args(before)
        .arg("--report")
        .arg(&report)
        .args(own)
        .args(arguments)
        .stdin(Stdio::null())
        .output();
    let output = child.with_context(|| format!("running {name}"))?;
    let text = std::fs::read_to_string(&report).unwrap_or_default();
    let said = String::from_utf8_lossy(&output.stderr);
    let results = serde_json::from_str::<Results>(&text).map_err(|_| {
        let said = said.trim();
        let said = said.strip_prefix("error: ").unwrap_or(said);
        // What the command says to do is the help of this one.
        let (said, remedy) = said.split_once("\nhelp: ").unwrap_or((said, ""));
        // What is wrong with the options, without a usage that is not this command's.
        let said = if before.is_empty() { said } else { said.lines().next().unwrap_or_default() };
        let message = format!("`{name}` does not run: {said}");
        let help = match before.is_empty() {
            true if remedy.is_empty() => format!("see `cuda-sim run {name}`"),
            true => remedy.to_owned(),
            false => format!(
                "`{}` is read as options of `run`; a program's own arguments stand behind a second \
                 `--`: compare A B -- -- {0}",
                before.join(" ")
            ),
        };
        Complaint::error(message, help)
    })?;
    if output.status.code() == Some(1) && !has_run(&results, &said) {
        for finding in results.findings() {
            crate::tell!("{}\n", finding.rendered.trim_end());
        }
        crate::tell!("error: `{name}` does not run, so that there is nothing to compare");
        return Ok(None);
    }
    Ok(Some(results))
}

/// Whether a source that failed was run: a kernel file has counters then, and a program `said` how many
/// launches it had.
fn has_run(results: &Results, said: &str) -> bool {
    results.files.iter().any(|entry| match entry.kind {
        Kind::Program => said.lines().last().is_some_and(|line| line.contains(" launch")),
        _ => !entry.kernels.is_empty(),
    })
}

impl Comparison {
    fn of(a: &Path, b: &Path, [before, after]: [&Results; 2]) -> Comparison {
        let places = |of: &Results, other: &Results| places(of, other);
        Comparison {
            a: a.display().to_string(),
            b: b.display().to_string(),
            kernels: pairs(&kernels(before), &kernels(after)),
            gone: places(before, after),
            new: places(after, before),
        }
    }

    fn print(&self, all: bool) {
        say!("A: {}\nB: {}", self.a, self.b);
        for pair in &self.kernels {
            pair.print(all);
        }
        for (word, places) in [("gone", &self.gone), ("new", &self.new)] {
            for Place { code, file, line, message } in places {
                say!("\n{word}: {code} at {file}:{line}: {message}");
            }
        }
        if self.gone.is_empty() && self.new.is_empty() {
            say!("\nThe findings are the same.");
        }
    }
}

impl Pair {
    fn print(&self, all: bool) {
        let missing = "(none)".to_owned();
        let (a, b) = (self.a.as_ref().unwrap_or(&missing), self.b.as_ref().unwrap_or(&missing));
        let name = if a == b { a.clone() } else { format!("{a} -> {b}") };
        let [before, after] = self.launches.map(crate::program::launches);
        let launches = if before == after { before } else { format!("{before} -> {after}") };
        say!("\n{name}: {launches}");
        let differs =
            |row: &&Row| all && (row.a, row.b) != (Some(0.0), Some(0.0)) || row.a != row.b;
        let rows: Vec<&Row> = self.counters.iter().filter(differs).collect();
        let texts: Vec<[String; 4]> = rows.iter().map(|row| row.texts()).collect();
        let width =
            |i: usize| texts.iter().map(|text| text[i].chars().count()).max().unwrap_or(0).max(1);
        let (names, first, second, change) = (width(0), width(1), width(2), width(3));
        if !texts.is_empty() {
            say!("  {:<names$}  {:>first$}  {:>second$}  {:>change$}", "", "A", "B", "");
        }
        for ([name, a, b, percent], row) in texts.iter().zip(&rows) {
            let metric = crate::report::beside(&row.metric);
            let line = format!(
                "  {name:<names$}  {a:>first$}  {b:>second$}  {percent:>change$}  {metric}"
            );
            say!("{}", line.trim_end());
        }
        let equal = self.counters.len() - rows.len();
        if equal > 0 {
            say!("  ({equal} counters are equal)");
        }
    }
}

impl Row {
    /// Name with unit, both values, and the change.
    fn texts(&self) -> [String; 4] {
        let change = match (self.a, self.b) {
            (Some(a), Some(b)) if a != 0.0 && a != b => format!("{:+.1} %", (b / a - 1.0) * 100.0),
            _ => String::new(),
        };
        let name = match self.unit.as_str() {
            "" => self.name.clone(),
            unit => format!("{} [{unit}]", self.name),
        };
        [name, number(self.a), number(self.b), change]
    }
}

fn kernels(results: &Results) -> Vec<&KernelCounters> {
    results.files.iter().flat_map(|entry| &entry.kernels).collect()
}

/// Kernels of one name belong together, and so do the two that are left if each side has one.
fn pairs(before: &[&KernelCounters], after: &[&KernelCounters]) -> Vec<Pair> {
    let named = |all: &[&KernelCounters], name: &str| all.iter().any(|k| k.kernel == name);
    let alone = |all: &[&KernelCounters], other: &[&KernelCounters]| {
        let mut rest = all.iter().filter(|kernel| !named(other, &kernel.kernel));
        rest.next().map(|kernel| kernel.kernel.clone()).filter(|_| rest.next().is_none())
    };
    let renamed = alone(before, after).zip(alone(after, before));
    let mut pairs = Vec::new();
    for a in before {
        let renamed = renamed.as_ref().filter(|(old, _)| *old == a.kernel);
        let name = renamed.map_or(&a.kernel, |(_, new)| new);
        pairs.push(pair(Some(a), after.iter().find(|kernel| kernel.kernel == *name).copied()));
    }
    for b in after.iter().filter(|kernel| !named(before, &kernel.kernel)) {
        if renamed.as_ref().is_none_or(|(_, new)| *new != b.kernel) {
            pairs.push(pair(None, Some(b)));
        }
    }
    pairs
}

fn pair(a: Option<&KernelCounters>, b: Option<&KernelCounters>) -> Pair {
    let side = |kernel: Option<&KernelCounters>| {
        kernel.map_or(&[][..], |kernel| kernel.counters.as_slice()).to_vec()
    };
    let mut values: BTreeMap<String, Option<f64>> = BTreeMap::new();
    values.extend(side(b).into_iter().map(|counter| (counter.name, counter.value)));
    let all = if a.is_some() { side(a) } else { side(b) };
    let rows = all.into_iter().map(|counter| Row {
        b: b.and_then(|_| values.get(&counter.name).copied().flatten()),
        a: a.and(counter.value),
        name: counter.name,
        metric: counter.metric,
        unit: counter.unit,
    });
    Pair {
        a: a.map(|kernel| kernel.kernel.clone()),
        b: b.map(|kernel| kernel.kernel.clone()),
        launches: [a, b].map(|kernel| kernel.map_or(0, |kernel| kernel.launches)),
        counters: rows.collect(),
    }
}

/// The findings that count and that the other run does not have: lines may move, and the files may
/// have different names.
fn places(of: &Results, other: &Results) -> Vec<Place> {
    let counts = |finding: &&Finding| finding.standing == Standing::New;
    let mut rest: Vec<(&str, &str)> =
        other.findings().filter(counts).map(|f| (f.code.as_str(), f.source.as_str())).collect();
    let mut places = Vec::new();
    for finding in of.findings().filter(counts) {
        let identity = (finding.code.as_str(), finding.source.as_str());
        if let Some(at) = rest.iter().position(|known| *known == identity) {
            rest.swap_remove(at);
            continue;
        }
        places.push(Place {
            code: finding.code.clone(),
            file: finding.file.clone(),
            line: finding.line,
            message: finding.message.clone(),
        });
    }
    places
}
