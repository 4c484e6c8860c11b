//! Mutation testing of asynchronous kernels: each file under `edits/<class>/` is a right kernel, and
//! comments at its lines say how a line may be changed, one change at a time.
//!
//! - `code //- CLASS`: without the line, the kernel is wrong, and a finding of the class says so.
//! - `code //= CLASS: other`: the same with other code in the line.
//! - `code //+ other`: with other code the kernel is right: no finding.
//! - `code //? CLASS: reason`: without the line the kernel is wrong, and under some schedule nothing
//!   is found, for this reason. It counts as missed; once it is found, the mark must become `//-`.
//! - `code //% CLASS: other`: the same with other code; then `//=`.
//!
//! Several classes are separated by commas: one of them is enough. What is not judged here is the
//! place of the finding; `labelled` does that. `ONLY=cluster` chooses folders.

#![allow(clippy::print_stdout, reason = "the table that it prints is asked for")]

use crate::support::{Case, cases, findings, package, run, settings};
use kernel_file::simulator::Program;
use kernel_file::{Header, KernelFile, Unit};
use simt::{Finding, Model, Outcome, Severity};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::OnceLock;

/// What is missed is marked `//?` or `//%`.
const RECALL: f64 = 0.98;
const PRECISION: f64 = 0.995;
/// Kernels and classes, at the least.
const KERNELS: usize = 150;
const CLASSES: usize = 10;
/// Warp-instructions per run, at most: some of the wrong kernels never end.
const STEPS: u64 = 2_000_000;

/// One version of a file.
pub(crate) struct Version {
    /// The line that differs.
    edited: Option<usize>,
    /// It is known that nothing is found.
    missed: bool,
    text: String,
    /// What it is, for messages.
    pub(crate) name: String,
    /// The classes of which one must be found; none: the kernel is right.
    pub(crate) classes: Vec<String>,
}

/// A line's code, and what the comments behind it say.
fn edits(line: &str) -> (&str, Vec<(char, &str)>) {
    let marks: Vec<usize> = ["//- ", "//= ", "//+", "//? ", "//% "]
        .iter()
        .flat_map(|mark| line.match_indices(mark).map(|(at, _)| at))
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect();
    let ends = marks.iter().skip(1).copied().chain([line.len()]);
    let found = marks.iter().zip(ends).map(|(&at, end)| {
        let kind = line.as_bytes()[at + 2] as char;
        (kind, line[at + 3..end].trim())
    });
    (&line[..marks.first().copied().unwrap_or(line.len())], found.collect())
}

/// The file as it is, and each of its edits.
fn versions(case: &Case) -> Vec<Version> {
    let lines: Vec<_> = case.file.text.lines().map(edits).collect();
    let with = |changed: Option<(usize, &str)>| {
        let mut text = String::new();
        for (number, (code, _)) in lines.iter().enumerate() {
            let other = changed.filter(|(at, _)| *at == number).map(|(_, other)| other);
            let _ = writeln!(text, "{}", other.unwrap_or(code));
        }
        text
    };
    let place = format!("{}/{}", case.folder, case.file.stem);
    let mut all = vec![Version {
        edited: None,
        missed: false,
        text: with(None),
        name: place.clone(),
        classes: vec![],
    }];
    for (number, (code, edits)) in lines.iter().enumerate() {
        for &(kind, rest) in edits {
            let (classes, other) = match kind {
                '-' => (rest, ""),
                '?' => (rest.split_once(": ").expect("`//? CLASS: reason`").0, ""),
                '=' | '%' => rest.split_once(": ").expect("`//= CLASS: code`"),
                _ => ("", rest),
            };
            let name = format!("{place}:{}: `{}` to `{other}`", number + 1, code.trim());
            let classes = classes.split(',').filter(|c| !c.is_empty()).map(str::to_owned);
            let text = with(Some((number, other)));
            all.push(Version {
                edited: Some(number),
                missed: matches!(kind, '?' | '%'),
                text,
                name,
                classes: classes.collect(),
            });
        }
    }
    all
}

/// What a version's run found of warnings and errors; and whether it completed.
fn judged(case: &Case, version: &Version, header: &Header, model: Model) -> (Vec<Finding>, String) {
    let name = &case.file.relative;
    let file = KernelFile::parse(name, version.text.clone()).expect("an edit of code alone");
    let text = version.text.clone();
    let unit = Unit { name: name.clone(), text, headers: vec![header.clone()], ..Unit::default() };
    let program = Program::compile(&file, &unit, settings(model, 1, STEPS))
        .unwrap_or_else(|problems| panic!("{}: {}", version.name, problems[0].rendered));
    let ran = run(&program, 512);
    let mut found: Vec<Finding> = findings(&ran).cloned().collect();
    found.retain(|finding| finding.severity >= Severity::Warning);
    let mut text = String::new();
    if version.edited.is_none() {
        // The file as it is also computes what it says.
        text.extend(ran.run.problems.iter().map(|problem| problem.rendered.as_str()));
    }
    text.extend(found.iter().map(|f| f.render(&program.module.sources)));
    for report in ran.reports.iter().filter(|r| r.outcome != Outcome::Completed) {
        let _ = writeln!(text, "{:?}", report.outcome);
    }
    (found, text)
}

/// A version with what each schedule found.
pub(crate) struct Judged {
    pub(crate) folder: String,
    pub(crate) version: Version,
    all: [(Vec<Finding>, String); 3],
}

impl Judged {
    /// Whether the promised defect is found under every schedule.
    pub(crate) fn is_caught(&self) -> bool {
        let of_class = |f: &Finding| self.version.classes.iter().any(|c| c == f.class().name());
        self.all.iter().all(|(found, _)| found.iter().any(of_class))
    }

    /// What is said about it under one of the schedules, or nothing.
    pub(crate) fn said(&self) -> Option<&str> {
        self.all.iter().map(|(_, text)| text.as_str()).find(|text| !text.is_empty())
    }
}

/// The folders that are asked for: all without `ONLY`.
pub(crate) fn only() -> String {
    std::env::var("ONLY").unwrap_or_default()
}

/// Every version in the folders that are asked for, judged once for all tests.
pub(crate) fn judged_versions() -> &'static [Judged] {
    static ALL: OnceLock<Vec<Judged>> = OnceLock::new();
    ALL.get_or_init(|| {
        let path = package().join("tests/labelled/async.cuh");
        let name = "async.cuh".to_owned();
        let text = std::fs::read_to_string(path).unwrap();
        let header = Header { name: name.clone(), relative: name, text };
        let mut all = Vec::new();
        for case in cases("edits").into_iter().filter(|case| case.folder.contains(&only())) {
            for version in versions(&case) {
                let models = [Model::Volta, Model::Adversarial(1), Model::Adversarial(2)];
                let found = models.map(|model| judged(&case, &version, &header, model));
                all.push(Judged { folder: case.folder.clone(), version, all: found });
            }
        }
        all
    })
}

#[derive(Default)]
struct Score {
    right: usize,
    wrong: usize,
    caught: usize,
    alarms: usize,
}

#[test]
#[cfg_attr(
    target_arch = "wasm32",
    ignore = "a minute in one thread; natively it runs in every push"
)]
fn each_edit_is_judged_right() {
    let mut scores: BTreeMap<&str, Score> = BTreeMap::new();
    let mut amiss = String::new();
    for judged in judged_versions() {
        let Judged { folder, version, .. } = judged;
        let score = scores.entry(folder).or_default();
        let said = judged.said().unwrap_or_default();
        // Every schedule gives the same verdict.
        if version.classes.is_empty() {
            score.right += 1;
            if !said.is_empty() {
                score.alarms += 1;
                let _ = writeln!(amiss, "false alarm: {}\n{said}", version.name);
            }
            continue;
        }
        score.wrong += 1;
        score.caught += usize::from(judged.is_caught());
        match (judged.is_caught(), version.missed) {
            (true, true) => {
                let _ = writeln!(amiss, "found, and marked as missed: {}", version.name);
            }
            (false, false) => {
                let _ = writeln!(amiss, "missed: {}\n{said}", version.name);
            }
            _ => {}
        }
    }
    println!("{amiss}\nclass             right  wrong  caught  false alarms");
    for (class, s) in &scores {
        println!("{class:<16} {:>6} {:>6} {:>7} {:>13}", s.right, s.wrong, s.caught, s.alarms);
    }
    let sum = |of: fn(&Score) -> usize| scores.values().map(of).sum::<usize>();
    let (right, wrong) = (sum(|s| s.right), sum(|s| s.wrong));
    let (caught, alarms) = (sum(|s| s.caught), sum(|s| s.alarms));
    let recall = caught as f64 / wrong as f64;
    let precision = caught as f64 / (caught + alarms) as f64;
    println!("{right} right, {wrong} wrong: recall {recall:.4}, precision {precision:.4}");
    assert!(amiss.is_empty(), "{amiss}");
    if !only().is_empty() {
        return;
    }
    assert!(right + wrong >= KERNELS && scores.len() >= CLASSES, "{} classes", scores.len());
    assert!(recall >= RECALL && precision >= PRECISION, "{recall} {precision}");
}
